import { fold } from '../../businesses/businesses.pure.ts'
import {
  addressSignsIn,
  agreeWith,
  comparedName,
  hostOfAddress,
  isDescriptiveWord,
  readAddress,
  readBusinessName,
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

/** Pieces of a page that one fact is compared with, and their length. A page with more can state the fact in a further one. */
const MAX_PIECES = 300
const MAX_PIECE = 300
/** Signs that separate facts in one line. */
const betweenFacts = /[|•·;\n]|\s[-–—]\s/
/** A registration number in any notation, such as `2016/055523/07`, `CK98/55501/23` and `K2016055523`. */
const anyRegistration = /(?<![\d\p{L}])(?:ck|k|b)?[ ]?\d{2,4}[ /.\\-]{0,3}\d{3,6}(?:[ /.\\-]{0,3}\d{2})?(?!\d)/giu
/** Parts of a street that a page can leave out or add without naming another place. */
const placesAround: ReadonlySet<string> = new Set([
  'place_missing',
  'unit_missing',
  'complex_missing',
  'extension_missing',
])

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
  const streetIn = remembered((text) => streetInText(street ?? '', text))
  const registrationIn = remembered((text) => registrationInText(registrationNumber ?? '', text))
  const written = names.map((name) => withoutConnectors(wordsOf(comparedName(readBusinessName(name)))))
  const plain = written.filter((name) => name.trim() !== '')
  const distinct = plain.filter(isDistinct)
  return {
    name: answer(
      spoken.length > 0,
      ({ words, unjoined }) =>
        spoken.some((name) => words.includes(name)) || distinct.some((name) => unjoined.includes(name)),
      ({ unjoined }) => plain.some((name) => unjoined.includes(name)),
    ),
    registrationNumber: answer(
      registered !== null,
      ({ text }) => registered?.test(text) === true || registrationIn(text) === 'yes',
      ({ text }) => registrationIn(text) !== 'no',
    ),
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
    street: answer(
      streetWords.trim() !== '',
      ({ text, words }) => words.includes(streetWords) || streetIn(text) === 'yes',
      ({ text }) => streetIn(text) !== 'no',
    ),
  }
}

/** `unjoined`: the words without those that join names, such as "and". */
type Searchable = { text: string; words: string; unjoined: string }

function searchable(page: string): Searchable {
  const text = withAsciiDigits(withoutUnseen(page))
  const words = wordsOf(text)
  return { text, words, unjoined: withoutConnectors(words) }
}

/** False for a name that other words of a page can equal: one word, such as that of a region, or words for a trade only. */
function isDistinct(name: string): boolean {
  const words = name.trim().split(' ')
  return words.length > 1 && words.some((word) => !isDescriptiveWord(word))
}

function withoutConnectors(words: string): string {
  return words.replace(/ (?:and|en|n)(?= )/g, '')
}

/** Computes an answer for a text once. */
function remembered(read: (text: string) => Repeats[RepeatedFact]): typeof read {
  const known = new Map<string, Repeats[RepeatedFact]>()
  return (text) => {
    const answer = known.get(text) ?? read(text)
    known.set(text, answer)
    return answer
  }
}

/** Searches a street in another spelling, such as `Kerkstraat 3` for `3 Kerk Street`. */
function streetInText(street: string, text: string): Repeats[RepeatedFact] {
  // Of a street that has names in two languages, a page can show either.
  const named = [...readAddress({ street }).street, ...wordsOf(street).split(' ')].filter((word) =>
    /\p{L}{3}/u.test(word),
  )
  const pieces = text.split(betweenFacts).filter((piece) => {
    if (piece.length < 3) return false
    const folded = wordsOf(piece)
    return named.some((word) => folded.includes(word))
  })
  if (pieces.length > MAX_PIECES || pieces.some(({ length }) => length > MAX_PIECE)) return 'not_known'
  const known = agreeWith('address.street', street)
  const answers = pieces.map((piece) => known(piece))
  if (answers.some(({ answer, reason }) => answer === 'same' || placesAround.has(reason ?? ''))) return 'yes'
  return answers.some(({ answer }) => answer !== 'different') ? 'not_known' : 'no'
}

function registrationInText(registrationNumber: string, text: string): Repeats[RepeatedFact] {
  const known = agreeWith('registrationNumber', registrationNumber)
  let read = 0
  for (const [piece] of text.matchAll(anyRegistration)) {
    read += 1
    if (read > MAX_PIECES) return 'not_known'
    const { answer } = known(piece)
    if (answer === 'same' || answer === 'compatible') return 'yes'
  }
  return 'no'
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
