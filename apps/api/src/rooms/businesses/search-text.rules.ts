/** Folds text so that case and accents make no difference: for sorting by name and for finding. */
export function fold(value: string): string {
  return value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** A phone as typed and as people dial it are both found, so digits alone are what is kept and what is asked. */
function digits(value: string): string {
  return value.replace(/\D/g, '')
}

const phoneLike = /^[+\d][\d\s().\-/]*$/

export type Searchable = {
  name: string
  tradingName: string | null
  registrationNumber: string | null
  identifiers: readonly { kind: 'email' | 'phone' | 'domain'; original: string; normalized: string | null }[]
}

/** Everything by which a business is found, a line each; one line never runs into the next. */
export function searchText({ name, tradingName, registrationNumber, identifiers }: Searchable): string {
  const lines = [name, tradingName, registrationNumber].filter((value) => value !== null).map(fold)
  for (const { kind, original, normalized } of identifiers) {
    const forms = [original, ...(normalized === null ? [] : [normalized])]
    lines.push(...forms.map(kind === 'phone' ? digits : fold))
  }
  return [...new Set(lines.filter((value) => value !== ''))].join('\n')
}

/** What is looked for in `searchText`: digits alone when a phone was typed, folded text otherwise. */
export function searchTerm(query: string): string {
  const trimmed = query.trim()
  const number = digits(trimmed)
  return phoneLike.test(trimmed) && number.length >= MIN_INDEXED_TERM && !/^\d{4}\/\d/.test(trimmed)
    ? number
    : fold(trimmed)
}

/** The search index knows parts of three characters or more; shorter terms find the beginning of names. */
export const MIN_INDEXED_TERM = 3

/** A tenant's token in the search index: three characters that no text holds, one trigram. */
export function tenantToken(tenantNumber: number): string {
  const first = 0xe000
  const base = 6_000
  return String.fromCharCode(
    first + Math.floor(tenantNumber / base / base),
    first + (Math.floor(tenantNumber / base) % base),
    first + (tenantNumber % base),
  )
}
