import { unique } from '../../../lib/unique.ts'
import type { IdentifierKind } from '../../normalization/normalization.ts'

/** Folds text for sorting by name and for search: the result is the same whatever the case and accents of the text. */
export function fold(value: string): string {
  return value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

function digits(value: string): string {
  return value.replace(/\D/g, '')
}

/** The name and the registered name of a record. */
export type Named = { name: string; tradingName: string | null; registrationNumber: string | null }

export type Searchable = Named & {
  identifiers: readonly { kind: IdentifierKind; original: string; normalized: string | null }[]
  /** names of all records merged into the record */
  merged: readonly Named[]
}

/** Returns all searchable values of a business, one per line; a match never spans two lines. */
export function searchText({ identifiers, merged, ...own }: Searchable): string {
  const lines = linesOf(own)
  for (const { kind, original, normalized } of identifiers) {
    const forms = [original, ...(normalized === null ? [] : [normalized])]
    lines.push(...(kind === 'phone' ? forms.flatMap(dialled) : forms.map(fold)))
  }
  lines.push(...merged.flatMap(linesOf))
  return unique(lines.filter((value) => value !== '')).join('\n')
}

function linesOf({ name, tradingName, registrationNumber }: Named): string[] {
  return [name, tradingName, registrationNumber].filter((value) => value !== null).map(fold)
}

/** Returns the digits of a phone number. For a South African number also returns the national form, because people search for it. */
function dialled(phone: string): string[] {
  const [, national] = /^\+27(\d+)$/.exec(phone) ?? []
  return national === undefined ? [digits(phone)] : [digits(phone), `0${national}`]
}

/** Characters of typed and pasted phone numbers, including brackets and typographic dashes. */
const phoneLike = /^[+(]*\d[\d\s().\-\u2010-\u2013/]*$/
/** Matches a registration number such as `2015/123456/07`, which looks like a phone number. */
const registrationLike = /^\d{4}\/\d/

/** A search term: parts of three or more characters that must all occur in a record, in any order and in any of its values. */
export type SearchTerm = readonly string[]

/**
 * Returns the search terms of a query; a record matches if one term matches. The first term consists of the words. If the query can be a phone
 * number, there are also terms for the folded text as typed and for its digits. Returns an empty list if all parts are too short for the search
 * index.
 */
export function searchTerms(query: string): SearchTerm[] {
  const typed = query.trim()
  const folded = fold(typed)
  const mayBePhone = phoneLike.test(typed) && !registrationLike.test(typed)
  const terms = mayBePhone ? [...new Set([folded, phoneDigits(typed)])].map((text) => [text]) : [wordsOf(folded)]
  return terms.filter((parts) => !parts.some(isTooShort))
}

/** Splits text into words. A word that is too short for the search index is joined to the previous word, or to the next one if it is the first. */
function wordsOf(folded: string): string[] {
  const words: string[] = []
  for (const word of folded.split(' ')) {
    const before = words.at(-1)
    if (before !== undefined && (isTooShort(before) || isTooShort(word))) words.splice(-1, 1, `${before} ${word}`)
    else words.push(word)
  }
  return words
}

/** Matches South Africa's country code after a plus or, as WhatsApp writes it, before the nine digits of a whole number. */
const ownCode = /^(?:\+27(\d+)|27(\d{9}))$/

/** Returns the digits of a number without South Africa's country code. The remaining digits also occur in a phone's national form. */
function phoneDigits(typed: string): string {
  const compact = typed
    .replace(/\(0\)/g, '')
    .replace(/[^+\d]/g, '')
    .replace(/^00/, '+')
  const [, behindPlus, whole] = ownCode.exec(compact) ?? []
  const national = behindPlus ?? whole
  return national !== undefined && national.length >= MIN_INDEXED_TERM ? national : digits(compact)
}

/** Minimum length of a term in the search index, in characters (not UTF-16 units). Shorter terms are compared with the beginning of names. */
const MIN_INDEXED_TERM = 3

/** Returns the consecutive, non-overlapping trigrams of a text; one or two remaining characters are dropped. */
export function threeByThree(text: string): string[] {
  const characters = [...text]
  const whole = Math.floor(characters.length / MIN_INDEXED_TERM)
  return Array.from({ length: whole }, (_, index) =>
    characters.slice(index * MIN_INDEXED_TERM, (index + 1) * MIN_INDEXED_TERM).join(''),
  )
}

const isTooShort = (text: string) => [...text].length < MIN_INDEXED_TERM

/** Returns a tenant's token in the search index: one trigram of three characters that no text contains. */
export function tenantToken(tenantNumber: number): string {
  const first = 0xe000
  const base = 6_000
  return String.fromCharCode(
    first + Math.floor(tenantNumber / base / base),
    first + (Math.floor(tenantNumber / base) % base),
    first + (tenantNumber % base),
  )
}
