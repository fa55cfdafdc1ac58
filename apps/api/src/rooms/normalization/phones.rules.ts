import type { PhoneNumber } from 'libphonenumber-js/max'
import { isPhoneCountry, listPhoneCountries, type PhoneCountry, phoneNumbers } from '../../lib/phone-countries.ts'
import type { Reading, Uncertainty } from './identifier-reading.ts'
import { withAsciiDigits, withoutUnseen } from './text-folding.rules.ts'

/** Maximum length of a typed text. A longer text is no phone number, even with an extension. */
const MAX_TYPED_LENGTH = 60
/** Countries in which a local number without a chosen country is tried: South Africa and its neighbours. */
const candidateRegions = ['ZA', 'NA', 'BW', 'ZW', 'MZ', 'LS', 'SZ'] as const

const international = /^\s*(?:\+|00)/
const written = /^[\s+0-9().\-/]+?(?:\s*(?:x|ext\.?|extension|uitbr?\.?)\s*[:.]?\s*(\d{1,7}))?\s*$/i

/**
 * Converts a phone number to E.164, or returns the reason why that is not possible. An international form is accepted if such a number can exist. A
 * local form is read as a number of the country that a person chose (`region`). Without a country it is ambiguous, and the result lists its
 * candidates (specification, Phase 6 §2). An extension is returned separately. `acceptsShort`: South African numbers that lack a digit are accepted, as
 * they were before `identifiers-8`.
 */
export function readPhone(
  value: string,
  region: string | null,
  { withCandidates = true, acceptsShort = false }: { withCandidates?: boolean; acceptsShort?: boolean } = {},
): Reading {
  const plain = plainSouthAfrican(value, region)
  if (plain !== undefined) return plain
  const form = dialledForm(value)
  if (form === undefined) return unreadable('not_a_phone_number')
  const { dialled, isInternational, extension } = form
  if (isInternational) return parsed(dialled, { region: undefined, extension, acceptsShort })
  if (region !== null && isPhoneCountry(region)) return parsed(dialled, { region, extension, acceptsShort })
  return { ...unreadable('no_country_context'), candidates: withCandidates ? candidatesOf(dialled) : [], extension }
}

/** True if the country of a number is known and is not South Africa. */
export function isAbroad(region: string | null): region is string {
  return region !== null && region !== 'ZA'
}

/** Returns the country of a number in E.164 form as an ISO 3166 alpha-2 code; null if several countries share its calling code. */
export function countryOfPhone(normalized: string): string | null {
  return parse(normalized, undefined)?.country ?? null
}

/**
 * Returns a phone number in the form `(+27) 82 555 1018`, which a spreadsheet does not read as a number or a formula; undefined if the number cannot
 * be read.
 */
export function phoneAsText(value: string, region: string | null): string | undefined {
  const { normalized, extension } = readPhone(value, region, { withCandidates: false })
  const number = normalized === null ? undefined : parse(normalized, undefined)
  if (number === undefined) return undefined
  const code = `+${number.countryCallingCode}`
  const rest = number.formatInternational().slice(code.length).trim()
  return `(${code}) ${rest}${extension === null ? '' : ` ext. ${extension}`}`
}

let callingCodes: ReadonlySet<string> | undefined
const knownLengths = new Map<string, boolean>()

function isCallingCode(code: string): boolean {
  callingCodes ??= new Set(listPhoneCountries().map(({ callingCode }) => callingCode))
  return callingCodes.has(code)
}

/** True if numbers of a calling code can have this number of digits after the code. Which digits they are makes no difference. */
function isPossibleLength(code: string, length: number): boolean {
  const key = `${code} ${length}`
  const known = knownLengths.get(key)
  if (known !== undefined) return known
  const isPossible = length > 0 && parse(`+${code}${'2'.repeat(length)}`, undefined)?.isPossible() === true
  knownLengths.set(key, isPossible)
  return isPossible
}

/**
 * Returns the number that these digits are behind `+` or `00`, in E.164 form, if a country has numbers of this length. A zero after the calling code is
 * left out where it is not part of the number. Most digits are decided without the library, which takes 5 µs.
 */
export function possibleInternational(digits: string): string | undefined {
  const code = [1, 2, 3].map((length) => digits.slice(0, length)).find(isCallingCode)
  if (code === undefined) return undefined
  const length = digits.length - code.length
  if (digits.charAt(code.length) !== '0')
    return isPossibleLength(code, length) && isWholeOf(digits) ? `+${digits}` : undefined
  if (!isPossibleLength(code, length) && !isPossibleLength(code, length - 1)) return undefined
  const number = parse(`+${digits}`, undefined)
  return number?.isPossible() === true && isWhole(number) ? number.number : undefined
}

function isWholeOf(digits: string): boolean {
  return !digits.startsWith('27') || wholeSouthAfrican.test(digits.slice(2))
}

/**
 * Returns the number that these digits are in a country, in E.164 form, if numbers of the country can have this length. `isAssigned`: true if a network
 * uses the number.
 */
export function possibleNumberIn(digits: string, region: string): { number: string | undefined; isAssigned: boolean } {
  const number = isPhoneCountry(region) ? parse(digits, region) : undefined
  if (number?.isPossible() !== true) return { number: undefined, isAssigned: false }
  return { number: number.number, isAssigned: number.isValid() }
}

/** True if numbers of the country can have the length of this number, which is in E.164 form. */
export function hasPossibleLength(normalized: string): boolean {
  const number = parse(normalized, undefined)
  return number?.isPossible() === true && isWhole(number)
}

type DialledForm = { dialled: string; isInternational: boolean; extension: string | null }

/** Returns the characters to dial, without the extension. Returns undefined for a text that is no number. */
function dialledForm(value: string): DialledForm | undefined {
  if (value.length > MAX_TYPED_LENGTH) return undefined
  const typed = asTyped(value)
  const match = written.exec(typed)
  if (match === null || (typed.match(/\d/g)?.length ?? 0) < 3) return undefined
  const extension = match[1] ?? null
  const dialled = (extension === null ? typed : typed.slice(0, typed.search(/[xeu]/i)))
    .replace(/\(0\)/g, '')
    .replace(/^\s*00/, '+')
  return { dialled, isInternational: international.test(typed), extension }
}

/** Converts digits and punctuation to ASCII, and removes the invisible marks that phones, pages and lists add to copied numbers. */
function asTyped(value: string): string {
  return withAsciiDigits(withoutUnseen(value))
    .replace(/[\u2010-\u2015\u2212\uff0d]/g, '-')
    .replace(/[\u00b7\u2022]/g, '.')
    .replace(/^\s*(?:tel|phone|cell|mobile|fax|callto|sms)\s*[.:]\s*/i, '')
    .replace(/^\s*\(\s*((?:[+\uff0b]|00)\d{1,3})\s*\)/, '$1 ')
    .replace(/^\s*\uff0b/, '+')
    .replace(/[\s;,]+$/, '')
}

/**
 * Matches South African numbers: three groups after +27 or 0, with at most one space or hyphen between groups. It includes only area codes and
 * networks whose numbers are all assigned.
 */
const southAfrican =
  /^(\+27|0)[ -]?(1[0-8]|2[1-378]|3[1-69]|4\d|5[1346-8]|6\d|7[0-46-9]|8[1-5])[ -]?(\d{3})[ -]?(\d{4})$/

/**
 * Parses the most frequent numbers of files without the library: 0.2 µs per number, where the library takes 5 (measured on a busy machine). Returns
 * undefined if more than one result is possible, and the library then parses the number. `phones.rules.test.ts` compares it with the library over
 * every network.
 */
function plainSouthAfrican(value: string, region: string | null): Reading | undefined {
  const match = southAfrican.exec(value)
  if (match === null || (match[1] === '0' && region !== 'ZA')) return undefined
  return {
    normalized: `+27${match[2]}${match[3]}${match[4]}`,
    uncertainty: null,
    candidates: [],
    extension: null,
  }
}

function parse(dialled: string, region: PhoneCountry | undefined) {
  return phoneNumbers().parsePhoneNumberFromString(dialled, {
    ...(region === undefined ? {} : { defaultCountry: region }),
    extract: false,
  })
}

/** Matches the national numbers of South Africa: nine digits, or ten after the prefix 0861. */
const wholeSouthAfrican = /^(?:\d{9}|861\d{7})$/

/** Returns false for a South African number that lacks a digit. The library accepts mobile numbers of five to eight digits there. */
function isWhole(number: Pick<PhoneNumber, 'countryCallingCode' | 'nationalNumber'>): boolean {
  return number.countryCallingCode !== '27' || wholeSouthAfrican.test(number.nationalNumber)
}

type ParseOptions = { region: PhoneCountry | undefined; extension: string | null; acceptsShort: boolean }

function parsed(dialled: string, { region, extension, acceptsShort }: ParseOptions): Reading {
  const number = parse(dialled, region)
  if (number === undefined) return unreadable('not_a_phone_number')
  if (!number.isValid() || !(acceptsShort || isWhole(number)))
    return { ...unreadable('invalid_phone_number'), extension }
  return { normalized: number.number, uncertainty: null, candidates: [], extension }
}

function candidatesOf(dialled: string): string[] {
  const numbers = candidateRegions.flatMap((region) => {
    const number = parse(dialled, region)
    return number?.isValid() === true && isWhole(number) ? [number.number] : []
  })
  return [...new Set<string>(numbers)]
}

function unreadable(uncertainty: Uncertainty): Reading {
  return { normalized: null, uncertainty, candidates: [], extension: null }
}
