import {
  type FoundValue,
  normalizeIdentifier,
  readIdentifier,
  valuesIn,
  withAsciiDigits,
} from '../../normalization/normalization.ts'
import type { Syntax } from '../contacts.table.ts'
import type { ExcludedRule } from './found-values.ts'
import { faxLabel, otherNumberLabel, phoneAndFaxLabel } from './value-words.data.ts'

/*
 * Decides which phones of a line of text may be kept. `valuesIn` finds them, in every grouping that a person could read. Here a number must be the
 * whole run of digits, in South African local form or with a country. Dates, prices, coordinates, registration, tax, bank and identity numbers have
 * another form or a label that names their kind. A local number is read with the country of the workspace, and states this country. If that country has no
 * such number, the number stays ambiguous. The functions are pure and linear.
 */

/** `region`: the country with which a number in local form was read. */
export type PhoneReading = {
  value: string
  normalized: string | null
  uncertainty: string | null
  region: string | null
  syntax: Syntax
}
export type PhoneInText = { from: number; to: number } & (
  | { reading: PhoneReading; excluded: null }
  | { reading: null; excluded: ExcludedRule }
)

/** Matches the digits of a number and what can stand between them. */
const ofNumber = /[\p{Nd}\s().\-/\u2010-\u2015\u2212]/u
const extension = /^\s*(?:x|ext\.?|extension|uitbr?\.?)\s*[:.]?\s*\d{1,6}(?![\p{L}\p{N}])/iu
/** Length of a bracket and a plus before a number, each with a space. */
const LONGEST_PREFIX = 4
/** Number of characters before a number that are read as its label. */
const LABEL = 40
const NATIONAL_DIGITS = 10
const MIN_INTERNATIONAL = 9
const MAX_INTERNATIONAL = 15
/** A longer run is treated as a table of figures. */
const MAX_RUN = 120

type Around = { label?: string; found?: readonly FoundValue[]; country: string }

/**
 * Returns the phones in a text. `label` is the text before this line, such as the neighbouring cell of a table. `found`: the values in the text.
 * `country`: that of the workspace.
 */
export function phonesInText(text: string, { label = '', found = valuesIn(text), country }: Around): PhoneInText[] {
  const phones: PhoneInText[] = []
  let done = 0
  for (const { kind, from, to, read } of found) {
    if (kind !== 'phone' || read !== 'plain') continue
    // A value can join several runs, such as those before and behind a plus.
    while (done < to) {
      const run = runAround(text, { from: Math.max(from, done), to })
      done = run.to
      const piece = text.slice(run.from, run.to)
      if (piece.length < MIN_INTERNATIONAL || piece.length > MAX_RUN) continue
      for (const part of numbersOf(piece)) {
        const place = { from: run.from + part.from, end: run.from + part.to }
        const one = readNumber(text, place, { label, country })
        if (one !== undefined) phones.push(one)
      }
    }
  }
  return phones
}

/** Returns the first run of digits in a place, as far as it extends around the place, with the plus or the bracket before it. */
function runAround(text: string, place: { from: number; to: number }): { from: number; to: number } {
  const isDigit = (index: number) => /\p{Nd}/u.test(text.charAt(index))
  let from = place.from
  while (from < place.to && !isDigit(from)) from += 1
  let to = from
  while (ofNumber.test(text.charAt(to))) to += 1
  while (to > from && !isDigit(to - 1)) to -= 1
  while (ofNumber.test(text.charAt(from - 1))) from -= 1
  while (from < to && !isDigit(from)) from += 1
  const [prefix = ''] = /(?:\+\s?|\(\s?\+?\s?)?$/.exec(text.slice(Math.max(0, from - LONGEST_PREFIX), from)) ?? []
  return { from: from - prefix.length, to }
}

/** Returns the run itself, or its parts if each part is a number. */
function numbersOf(piece: string): { from: number; to: number }[] {
  const whole = { from: 0, to: piece.length }
  if (isPhoneForm(piece)) return [whole]
  const parts = partsOf(piece, /\s*\/\s*|\s+[-\u2010-\u2015]\s+|\s+(?=\+)|\s+(?=\(0)/g)
  return parts.length > 1 && parts.every(({ from, to }) => isPhoneForm(piece.slice(from, to))) ? parts : [whole]
}

function partsOf(piece: string, between: RegExp): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = []
  let from = 0
  for (const match of piece.matchAll(between)) {
    parts.push({ from, to: match.index })
    from = match.index + match[0].length
  }
  return [...parts, { from, to: piece.length }]
}

function readNumber(
  text: string,
  { from, end }: { from: number; end: number },
  { label: outerLabel, country }: { label: string; country: string },
): PhoneInText | undefined {
  const form = text.slice(from, end)
  const isForm = isPhoneForm(form)
  const mayBe = isForm || isNearlyAPhone(form)
  if (!mayBe) return undefined
  const excluded = (rule: ExcludedRule): PhoneInText => ({ from, to: end, reading: null, excluded: rule })
  if (!isForm || touchesBefore(text, from)) return excluded('unclear')
  const before = text.slice(Math.max(0, from - LABEL), from)
  const label = /[\p{L}\p{N}]/u.test(before) ? before : `${outerLabel.slice(-LABEL)} ${before}`
  if (otherNumberLabel.test(label)) return excluded('other_number')
  if (faxLabel.test(label) && !phoneAndFaxLabel.test(label)) return excluded('fax')
  const behind = extension.exec(text.slice(end, end + LABEL))?.[0] ?? ''
  const to = end + behind.length
  if (touchesBehind(text, to)) return excluded('unclear')
  const value = text.slice(from, to).trim()
  const reading = readPhoneValue(value, country)
  return typeof reading === 'string' ? excluded(reading) : { from, to, reading, excluded: null }
}

/** Reads a text that should be exactly one number, or returns the reason why it is not. */
export function readPhoneValue(value: string, country: string): PhoneReading | ExcludedRule {
  if (isPlaceholder(digitsOf(value))) return 'placeholder'
  const { normalized, uncertainty, candidates, local } = identifierOf(value, country)
  if (normalized !== null) return { value, normalized, uncertainty: null, region: null, syntax: 'valid' }
  if (uncertainty !== 'no_country_context') return 'unclear'
  if (local !== null) return { value, normalized: local, uncertainty: null, region: country, syntax: 'valid' }
  if (candidates.length === 0) return 'unclear'
  const isLocal = candidates.some((candidate) => candidate.startsWith('+27'))
  return { value, normalized: null, uncertainty, region: null, syntax: isLocal ? 'valid' : 'unusual' }
}

/** Numbers that were read last: a page repeats its own in every part, and reading one tries several countries. */
/** `local`: the number if it is in local form and the country has it. */
type ReadNumber = ReturnType<typeof readIdentifier> & { local: string | null }
const lastRead = new Map<string, ReadNumber>()
const MAX_LAST_READ = 500

function identifierOf(value: string, country: string): ReadNumber {
  const key = `${country} ${value}`
  const known = lastRead.get(key)
  if (known !== undefined) return known
  if (lastRead.size >= MAX_LAST_READ) lastRead.clear()
  const whole = readIdentifier('phone', value)
  const isLocal = whole.uncertainty === 'no_country_context'
  const local = isLocal ? normalizeIdentifier('phone', value, country).normalized : null
  const read = { ...whole, local }
  lastRead.set(key, read)
  return read
}

/** True for the form of a phone with any digits: a country, or ten digits with a leading zero in the usual groups. */
function isPhoneForm(piece: string): boolean {
  const plain = withAsciiDigits(piece).trim()
  const digits = digitsOf(plain)
  if (hasBrokenBrackets(plain)) return false
  if (/^(?:\+|\(\s?\+|00)/.test(plain)) {
    const length = digitsOf(plain.replace(/\(0\)/g, '').replace(/^00/, '')).length
    return length >= MIN_INTERNATIONAL && length <= MAX_INTERNATIONAL && !/\/.*\//.test(plain)
  }
  if (digits.length !== NATIONAL_DIGITS || !/^0[1-8]/.test(digits)) return false
  if (/^\d{1,2}[-./]\d{1,2}[-./]\d{2,4}/.test(plain)) return false
  const slash = plain.indexOf('/')
  if (slash !== -1 && (digitsOf(plain.slice(0, slash)).length !== 3 || plain.lastIndexOf('/') !== slash)) return false
  const groups = plain.match(/\d+/g) ?? []
  if (groups.length > 5 || (plain.includes('.') && groups.length === 2 && groups[0]?.length !== 3)) return false
  return groups.filter((group) => group.length === 1).length <= 1 && !/[-.]{2}/.test(plain)
}

/** True for a text that resembles a phone but whose form is uncertain: two joined numbers, or a number with an additional digit. */
function isNearlyAPhone(piece: string): boolean {
  const digits = digitsOf(piece)
  return digits.length >= MIN_INTERNATIONAL && /^\s*[+(]?\s*0[1-8]|^\s*\(?\+/.test(withAsciiDigits(piece))
}

function hasBrokenBrackets(text: string): boolean {
  let open = 0
  for (const sign of text.match(/[()]/g) ?? []) {
    open += sign === '(' ? 1 : -1
    if (open < 0 || open > 1) return true
  }
  return open !== 0
}

function touchesBefore(text: string, from: number): boolean {
  const sign = text.charAt(from - 1)
  if (sign === '') return false
  if (/[\p{L}\p{N}_]/u.test(sign) || '@#=%&$€£*\\+^~'.includes(sign)) return true
  return /[-./,\u2010-\u2015\u2212]/.test(sign) && /[\p{L}\p{N}]/u.test(text.charAt(from - 2))
}

function touchesBehind(text: string, to: number): boolean {
  const sign = text.charAt(to)
  if (sign === '') return false
  if (/[\p{L}\p{N}_]/u.test(sign) || '@#=%*\\^~+'.includes(sign)) return true
  return /[-./:\u2010-\u2015\u2212]/.test(sign) && /[\p{L}\p{N}]/u.test(text.charAt(to + 1))
}

function isPlaceholder(digits: string): boolean {
  const national = digits.replace(/^(?:00)?27/, '').replace(/^0/, '')
  return (
    new Set(national).size <= 2 ||
    '12345678901234567890'.includes(national) ||
    '98765432109876543210'.includes(national) ||
    /^\d{2}(?:1234567|0000000|1111111|9999999)$/.test(national) ||
    /0{6}$/.test(national)
  )
}

export function digitsOf(text: string): string {
  return withAsciiDigits(text).replace(/\D/g, '')
}
