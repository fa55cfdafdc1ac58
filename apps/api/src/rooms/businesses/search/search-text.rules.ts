import { unique } from '../../../lib/unique.ts'
import type { IdentifierKind } from '../../normalization/normalization.ts'

/** Folds text so that case and accents make no difference: for sorting by name and for finding. */
export function fold(value: string): string {
  return value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

function digits(value: string): string {
  return value.replace(/\D/g, '')
}

/** What a record is called, and is registered as. */
export type Named = { name: string; tradingName: string | null; registrationNumber: string | null }

export type Searchable = Named & {
  identifiers: readonly { kind: IdentifierKind; original: string; normalized: string | null }[]
  /** all that were merged into it */
  merged: readonly Named[]
}

/** Everything by which a business is found, a line each; one line never runs into the next. */
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

/** The digits of a phone; a South African one also as it is dialled at home, because that is how people ask for it. */
function dialled(phone: string): string[] {
  const [, national] = /^\+27(\d+)$/.exec(phone) ?? []
  return national === undefined ? [digits(phone)] : [digits(phone), `0${national}`]
}

/** As people type and paste it: in brackets, with the dashes of letters and web pages. */
const phoneLike = /^[+(]*\d[\d\s().\-\u2010-\u2013/]*$/
/** `2015/123456/07` is a registration number, however much it looks like a phone. */
const registrationLike = /^\d{4}\/\d/

/** Parts that are all there, in whatever order and in whichever values. Each has three characters or more. */
export type SearchTerm = readonly string[]

/**
 * What is looked for in `searchText`, any of it: the words, or where a phone may have been meant the folded text as it stands and its
 * digits alone. Empty when all of it is shorter than the search index knows.
 */
export function searchTerms(query: string): SearchTerm[] {
  const typed = query.trim()
  const folded = fold(typed)
  const mayBePhone = phoneLike.test(typed) && !registrationLike.test(typed)
  const terms = mayBePhone ? [...new Set([folded, phoneDigits(typed)])].map((text) => [text]) : [wordsOf(folded)]
  return terms.filter((parts) => !parts.some(isTooShort))
}

/** A word that is shorter than the search index knows stays with the one before it, or after it where it is the first. */
function wordsOf(folded: string): string[] {
  const words: string[] = []
  for (const word of folded.split(' ')) {
    const before = words.at(-1)
    if (before !== undefined && (isTooShort(before) || isTooShort(word))) words.splice(-1, 1, `${before} ${word}`)
    else words.push(word)
  }
  return words
}

/** South Africa's own code: behind a plus, or as WhatsApp writes it, in front of the nine digits of a whole number. */
const ownCode = /^(?:\+27(\d+)|27(\d{9}))$/

/** Of a number with South Africa's own code the rest, which stands in the national form of a phone as well. */
function phoneDigits(typed: string): string {
  const compact = typed
    .replace(/\(0\)/g, '')
    .replace(/[^+\d]/g, '')
    .replace(/^00/, '+')
  const [, behindPlus, whole] = ownCode.exec(compact) ?? []
  const national = behindPlus ?? whole
  return national !== undefined && national.length >= MIN_INDEXED_TERM ? national : digits(compact)
}

/** The search index knows parts of three characters (not UTF-16 units) or more; shorter terms find the beginning of names. */
const MIN_INDEXED_TERM = 3

/** The parts of three characters that stand side by side in a text, from its first on; one or two that are left over are none. */
export function threeByThree(text: string): string[] {
  const characters = [...text]
  const whole = Math.floor(characters.length / MIN_INDEXED_TERM)
  return Array.from({ length: whole }, (_, index) =>
    characters.slice(index * MIN_INDEXED_TERM, (index + 1) * MIN_INDEXED_TERM).join(''),
  )
}

const isTooShort = (text: string) => [...text].length < MIN_INDEXED_TERM

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
