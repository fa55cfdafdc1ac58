import { unique } from '../../../lib/unique.ts'
import type { IdentifierKind } from '../../normalization/normalization.ts'

/** Folds text so that case and accents make no difference, for sorting by name and for search. */
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

/** Returns the digits of a phone number; for a South African number also its national form, in which people search. */
function dialled(phone: string): string[] {
  const [, national] = /^\+27(\d+)$/.exec(phone) ?? []
  return national === undefined ? [digits(phone)] : [digits(phone), `0${national}`]
}

/** Characters of typed and pasted phone numbers, including brackets and typographic dashes. */
const phoneLike = /^[+(]*\d[\d\s().\-\u2010-\u2013/]*$/
/** `2015/123456/07` is a registration number, although it looks like a phone. */
const registrationLike = /^\d{4}\/\d/

/** Parts that must all occur, in any order and in any values. Each has three characters or more. */
export type SearchTerm = readonly string[]

/**
 * Returns the search terms for `searchText`; one matching term suffices. The terms are the words; if the query can be a phone number, the folded text
 * as typed and its digits alone. Empty if everything is too short for the search index.
 */
export function searchTerms(query: string): SearchTerm[] {
  const typed = query.trim()
  const folded = fold(typed)
  const mayBePhone = phoneLike.test(typed) && !registrationLike.test(typed)
  const terms = mayBePhone ? [...new Set([folded, phoneDigits(typed)])].map((text) => [text]) : [wordsOf(folded)]
  return terms.filter((parts) => !parts.some(isTooShort))
}

/** Splits text into words. A word that is too short for the search index joins the word before it, or after it if it is the first. */
function wordsOf(folded: string): string[] {
  const words: string[] = []
  for (const word of folded.split(' ')) {
    const before = words.at(-1)
    if (before !== undefined && (isTooShort(before) || isTooShort(word))) words.splice(-1, 1, `${before} ${word}`)
    else words.push(word)
  }
  return words
}

/** South Africa's country code: after a plus, or, as WhatsApp writes it, before the nine digits of a whole number. */
const ownCode = /^(?:\+27(\d+)|27(\d{9}))$/

/** Returns a number without South Africa's country code. The remaining digits also occur in a phone's national form. */
function phoneDigits(typed: string): string {
  const compact = typed
    .replace(/\(0\)/g, '')
    .replace(/[^+\d]/g, '')
    .replace(/^00/, '+')
  const [, behindPlus, whole] = ownCode.exec(compact) ?? []
  const national = behindPlus ?? whole
  return national !== undefined && national.length >= MIN_INDEXED_TERM ? national : digits(compact)
}

/** The search index contains parts of at least three characters (not UTF-16 units). Shorter terms find the beginning of names. */
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
