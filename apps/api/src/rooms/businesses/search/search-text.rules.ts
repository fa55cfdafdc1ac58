import { unique } from '../../../lib/unique.ts'
import {
  type IdentifierKind,
  normalizeIdentifier,
  partsOfLine,
  searchForms,
} from '../../normalization/normalization.ts'
import { fold } from './fold.rules.ts'

function digits(value: string): string {
  return value.replace(/\D/g, '')
}

/** The name and the registered name of a record. */
export type Named = { name: string; tradingName: string | null; registrationNumber: string | null }

export type Searchable = Named & {
  identifiers: readonly { kind: IdentifierKind; original: string; label: string | null; normalized: string | null }[]
  /** names of all records merged into the record */
  merged: readonly Named[]
  /** names and contact values of the record's people, in the rows that rooms declare (`furtherTextsOf`); absent if there are none */
  further?: { names: readonly string[]; identifiers: Searchable['identifiers'] }
}

/** Separates the lines of the record's own name from the other lines of a search text, if the name has several. */
export const AFTER_NAME = '\n\n'

/** Separates the names of people from the lines before them. A line contains no form feed, because folding replaces all whitespace. */
export const BEFORE_PEOPLE = '\n\f'

/**
 * Returns all searchable values of a business, one per line; a match never spans two lines. The lines of its own name come first, followed by an empty
 * line if there are several. The names of people come last (`BEFORE_PEOPLE`). A text that people spell in different ways also has the lines of its other
 * forms (`searchForms`), unless an earlier line contains them.
 */
export function searchText(searchable: Searchable): string {
  const { name, tradingName, registrationNumber, merged, further = { names: [], identifiers: [] } } = searchable
  const identifiers = [...searchable.identifiers, ...further.identifiers]
  const own = withoutContained(formsOf(name))
  const others = [...formsOf(tradingName), ...literal(registrationNumber)]
  for (const { kind, original, normalized } of identifiers) {
    const forms = [original, ...(normalized === null ? [] : [normalized])]
    others.push(...(kind === 'phone' ? forms.flatMap(dialled) : forms.map(fold)))
  }
  others.push(...identifiers.flatMap(({ label }) => formsOf(label)), ...merged.flatMap(linesOf))
  const rest = withoutContained([...own, ...others]).slice(own.length)
  const people = withoutContained(further.names.flatMap(formsOf))
  const lines = own.length > 1 ? `${own.join('\n')}${AFTER_NAME}${rest.join('\n')}` : [...own, ...rest].join('\n')
  return people.length > 0 ? `${lines}${BEFORE_PEOPLE}${people.join('\n')}` : lines
}

function linesOf({ name, tradingName, registrationNumber }: Named): string[] {
  return [...formsOf(name), ...formsOf(tradingName), ...literal(registrationNumber)]
}

function literal(text: string | null): string[] {
  return text === null ? [] : [fold(text)]
}

/** Returns the literal form of a text, followed by its other forms. */
function formsOf(text: string | null): string[] {
  return text === null ? [] : [fold(text), ...searchForms(text)]
}

/** Returns the lines without those that an earlier line contains, because every part of such a line is found in the earlier one. */
function withoutContained(lines: readonly string[]): string[] {
  const kept: string[] = []
  for (const line of lines) if (line !== '' && !kept.some((earlier) => earlier.includes(line))) kept.push(line)
  return kept
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
 * Returns the search terms of a query; a record matches if one term matches. There is a term for the words as typed, and for those of each other form
 * of the query (`searchForms`). If the query can be a phone number, the terms are the text as typed and its digits. If it contains a pasted value, such
 * as `mailto:jan@karoo.co.za`, there is also a term for the value. Returns an empty list if the query or all its parts are too short for the search index.
 */
export function searchTerms(query: string): SearchTerm[] {
  const typed = query.trim()
  const folded = fold(typed)
  if (phoneLike.test(typed) && !registrationLike.test(typed))
    return usable(unique([folded, phoneDigits(typed)]).map((text) => [text]))
  // Another form of a short text, such as "n and" of "n&", would hide the names that begin with the text.
  if (isTooShort(folded)) return []
  const pasted = pastedValue(typed)
  const isAddress = pasted !== undefined || typed.includes('@')
  const forms = isAddress ? [] : searchForms(typed)
  return usable([...(pasted === undefined ? [] : [[pasted]]), ...forms.map(wordsOf), wordsOf(folded)])
}

/** Returns the terms with parts that the index can find, without those that match no more than an earlier term. */
function usable(terms: readonly SearchTerm[]): SearchTerm[] {
  const kept: SearchTerm[] = []
  for (const term of terms) {
    const isCovered = kept.some((earlier) => earlier.every((part) => term.some((one) => one.includes(part))))
    if (!term.some(isTooShort) && !isCovered) kept.push(term)
  }
  return kept
}

/** Matches the rest of a query with a pasted phone number: a label before it, or an extension or a remark in brackets behind it. */
const besidePhone = /^(?:\([^()]*\)|[\p{L} -]{1,20}:|(?:x|ext\.?|extension|uitbr?\.?)\s*[:.]?\s*\d{1,7})$/iu

/**
 * Returns the value in a query that was pasted with something around it, in the form that search texts have: the address in `Jan <jan@karoo.co.za>`,
 * the host of a URL, the digits in `tel:+27825558834` and `082 555 8834 ext 4`. Undefined if the query is no such value.
 */
function pastedValue(typed: string): string | undefined {
  const parts = partsOfLine(typed)
  const [found, ...further] = parts.filter(({ kind }) => kind !== null)
  if (found === undefined || further.length > 0) return undefined
  if (found.kind === 'phone') {
    const at = typed.indexOf(found.text)
    const rest = [typed.slice(0, at), typed.slice(at + found.text.length)].map((text) => text.trim())
    return rest.every((text) => text === '' || besidePhone.test(text)) ? phoneDigits(found.text) : undefined
  }
  return normalizeIdentifier(found.kind ?? 'domain', found.text).normalized ?? undefined
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

/** Returns the first and the second half of a word, of at least three characters each. They overlap in a short word. */
export function halvesOf(word: string): string[] {
  const half = Math.max(MIN_INDEXED_TERM, Math.ceil(word.length / 2))
  const rest = Math.max(MIN_INDEXED_TERM, word.length - half)
  return unique([word.slice(0, half), word.slice(-rest)])
}

/** Returns the sets of words of which one must occur in a text: all words, or all but one (`isMissingOne`). */
export function wordSets(words: readonly string[], isMissingOne: boolean): readonly (readonly string[])[] {
  return isMissingOne ? words.map((_, without) => words.filter((_word, at) => at !== without)) : [words]
}

/** Returns the search terms of which a text that is found by halves (`findByHalves`) meets at least one. */
export function termsOfHalves(words: readonly string[], isMissingOne: boolean): SearchTerm[] {
  return wordSets(words, isMissingOne).flatMap((set) =>
    set.reduce<SearchTerm[]>(
      (terms, word) => terms.flatMap((parts) => halvesOf(word).map((half) => [...parts, half])),
      [[]],
    ),
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
