import { fold } from '../../businesses/businesses.pure.ts'
import {
  addressSignsIn,
  hostOfAddress,
  registrableDomain,
  valuesIn,
  withAsciiDigits,
  withoutUnseen,
} from '../../normalization/normalization.ts'
import type { KnownFacts, RepeatedFact, Repeats } from './page-facts.ts'

/* Compares the text of a page with the facts of its record. Pure. `judgePage` decides whether a fact that was not found may be called missing. */

/** Digits at the end of a phone number that are compared, so that the form of the country code does not matter. */
const NATIONAL_DIGITS = 9
/** Digits that may stand before the compared ones: an international prefix and the code of a country. */
const PREFIX_DIGITS = 5
/** Signs that may stand between two digits of a number. */
const BETWEEN_DIGITS = String.raw`[\s().\-/\u00a0\u2010-\u2015]*`

/** `shown`: what a reader of the page sees, and the values of its links. `hidden`: text that a reader may see, such as text that a script may show. */
export type ComparedText = { shown: string; hidden: string }

export function repeatsOf(
  { names, registrationNumber, phones, domains, street }: KnownFacts,
  { shown, hidden }: ComparedText,
): Repeats {
  const inShown = searchable(shown)
  const inHidden = searchable(hidden)
  const answer = (
    isKnown: boolean,
    isIn: (text: Searchable) => boolean,
    mayBeIn: (text: Searchable) => boolean = isIn,
  ): Repeats[RepeatedFact] => {
    if (!isKnown) return 'not_known'
    if (isIn(inShown)) return 'yes'
    return mayBeIn(inShown) || mayBeIn(inHidden) ? 'not_known' : 'no'
  }
  // The first label is searched before the addresses are read, because reading a hostile text takes seconds. An encoded name has several spellings.
  const labels = domains.map((domain) => (domain.includes('xn--') ? '' : wordsOf(domain.split('.', 1).join()).trim()))
  const mayNameOwn = ({ words }: Searchable) => labels.some((label) => words.includes(label))
  const isOwn = (host: string) => domains.includes(host) || domains.includes(registrableDomain(host) ?? '')
  const spoken = names.map(wordsOf).filter((name) => name.trim() !== '')
  const registered = numberPattern(registrationNumber?.replace(/\D+/g, '') ?? '', 0)
  const nationals = phones.map((phone) =>
    numberPattern(phone.replace(/\D/g, '').slice(-NATIONAL_DIGITS), PREFIX_DIGITS),
  )
  const streetWords = street === null ? '' : wordsOf(street)
  return {
    name: answer(spoken.length > 0, ({ words }) => spoken.some((name) => words.includes(name))),
    registrationNumber: answer(registered !== null, ({ text }) => registered?.test(text) === true),
    phone: answer(
      nationals.some((phone) => phone !== null),
      ({ text }) => nationals.some((phone) => phone?.test(text) === true),
    ),
    mailDomain: answer(
      domains.length > 0,
      (page) => mayNameOwn(page) && mailHostsIn(page.text).some(isOwn),
      // `us at karoo.co.za` can be an address or a sentence, and `@karoo.co.za` the end of an address or a user name.
      (page) => mayNameOwn(page) && possibleMailHostsIn(page.text).some(isOwn),
    ),
    street: answer(streetWords.trim() !== '', ({ words }) => words.includes(streetWords)),
  }
}

type Searchable = { text: string; words: string }

function searchable(page: string): Searchable {
  const text = withAsciiDigits(withoutUnseen(page))
  return { text, words: wordsOf(text) }
}

function mailHostsIn(text: string): string[] {
  return valuesIn(text)
    .filter(({ kind, from, to }) => kind === 'email' && !mayBeSentence(text.slice(from, to)))
    .map(({ normalized }) => hostOfAddress(normalized))
}

/** True for an address with an `at` without brackets, which can be a word of a sentence, or with an `@` that can begin a user name. */
function mayBeSentence(address: string): boolean {
  return /\sat\s/i.test(address) || addressSignsIn(address).some((at) => /^\s\S{2}/.test(address.slice(at - 1, at + 2)))
}

/** Returns the hosts of all addresses, and those behind an `@` without a name. */
function possibleMailHostsIn(text: string): string[] {
  return valuesIn(text, { anySuffix: true })
    .filter(({ kind, from }) => kind === 'email' || addressSignsIn(text.charAt(from - 1)).length > 0)
    .map(({ normalized }) => hostOfAddress(normalized))
}

/**
 * Returns a pattern for these digits with any spacing, after at most `prefix` further digits; null for no digits. Another number may follow, such as
 * the street number of the next line.
 */
function numberPattern(digits: string, prefix: number): RegExp | null {
  if (digits === '') return null
  return new RegExp(String.raw`(?<!\d{${prefix + 1}})${[...digits].join(BETWEEN_DIGITS)}(?!\d)`)
}

/** Returns only letters and digits, with each word between spaces, so that a word never matches inside another word. */
function wordsOf(text: string): string {
  return ` ${fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}
