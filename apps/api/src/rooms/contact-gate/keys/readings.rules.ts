import { unique } from '../../../lib/unique.ts'
import { normalizeForBlock, possibleLocalPhone } from '../../normalization/normalization.ts'
import { visibleText } from './visible-text.rules.ts'

/*
 * Pure rules that find the values in a text that is not a single value: several values, a value that is spelled out, or a value with a remark.
 * Normalization leaves such a text unchanged. A suppression entry must match every value that a person would read in it.
 */

/** Matches a dot that is spelled out or in brackets, and two dots. */
const spelledDot = / ?[[({<] ?(?:dot|\.) ?[\])}>] ?| dot |(?<!\.)\.\.(?!\.)/gi

/** Matches characters between or around addresses. A control character separates texts: it is never deleted, which would join them. */
const betweenAddresses = /[\s\p{Cc}<>(),;:"'|/\\[\]{}&*`…、，；]+/u

/** Returns the email addresses in a text, in normalized form. It reads `Name <a@b>`, `a@b; c@d`, `a [at] b` and `a at b dot c`. */
export function mailAddressesIn(text: string): string[] {
  const whole = normalizeForBlock('email', text).normalized
  if (whole !== null) return [whole]
  return unique(
    text
      .replace(/\s+/g, ' ')
      .replace(/ ?[[({<] ?(?:at|@) ?[\])}>] ?| at |(?: ?(?:@|%40))+ ?/gi, '@')
      .replace(spelledDot, '.')
      .replaceAll('"@', '@')
      .split(betweenAddresses)
      .filter((part) => part.includes('@'))
      .flatMap((part) => normalizeForBlock('email', visibleText(part)).normalized ?? []),
  )
}

/**
 * Returns the hosts in a text, in normalized form. Underscores are accepted, because some existing host names contain them, although no registrable
 * domain does.
 */
export function hostsIn(value: string): string[] {
  const whole = normalizeForBlock('domain', value).normalized
  const hosts =
    whole === null
      ? value
          .replace(/\s+/g, ' ')
          .replace(spelledDot, '.')
          .split(/[ \p{Cc},;|<>()"']+/u)
          .filter((part) => /[.。]/.test(part))
          .map((part) =>
            visibleText(part.replace(/^[a-z]+:[/\\]{0,2}|^\/{2}|^@/i, ''))
              .replace(/(?<=^|\.)_+/g, '')
              .replaceAll('_', '-'),
          )
          .flatMap((part) => normalizeForBlock('domain', part).normalized ?? [])
      : [whole]
  return unique(hosts)
}

/** Matches characters that no phone number contains, such as words, signs and commas. The text between two matches contains one or more numbers. */
const betweenNumbers = /[^\d+()./\s\-\u2010-\u2015]+/u
const DIGITS_OF_A_PHONE = 9

/**
 * Returns the phone numbers in a text, in normalized form. For a country other than South Africa it returns the numbers of two readings: the whole
 * local form, and its parts. Rules before `keys-6` read only the parts.
 */
export function numbersIn(value: string, region: string | null): string[] {
  const whole = phoneReadings(value, region)
  if (whole.length > 0 && !isAbroad(region)) return whole
  const parts = value
    .split(betweenNumbers)
    .flatMap((numbers) => [
      numbers,
      ...numbers.split(/[/\n]|\s{2,}/),
      ...numbers.split(/\s/),
      ...linesOf(numbers),
      ...sideBySide(numbers),
    ])
    .filter((part) => part.replace(/\D/g, '').length >= DIGITS_OF_A_PHONE)
  return unique([...whole, ...parts.flatMap((part) => phoneReadings(part, region))])
}

/** True if the country of a number is known and is not South Africa. */
export function isAbroad(region: string | null): region is string {
  return region !== null && region !== 'ZA'
}

/** Returns two numbers for a text such as `021 555 0100/1`: the number, and the number that ends in the digits after the slash. */
function linesOf(numbers: string): string[] {
  const [, first, end = ''] = /^(.*\d{4})\s*[-/]\s*(\d{1,2})\s*$/s.exec(numbers) ?? []
  return first === undefined ? [] : [first, first.slice(0, -end.length) + end]
}

const nationalNumber = '(?:\\+27|0)[1-9]\\d{8}'
const nationalNumbers = new RegExp(`^(?:${nationalNumber}){2,}$`)
const eachNational = new RegExp(nationalNumber, 'g')

/** Splits phone numbers that follow one another without a separator. They occur if lines of a sheet end up in one field. */
function sideBySide(numbers: string): string[] {
  const digits = dialled(numbers)
  return nationalNumbers.test(digits) ? (digits.match(eachNational) ?? []) : []
}

/**
 * Returns the readings of a phone number. A number in South African form is also read as South African if its country is missing, or if its country
 * has no such number, because people can overlook the country that a form presets. The number in the record stays uncertain, and suppression covers
 * both readings.
 */
function phoneReadings(value: string, region: string | null): string[] {
  const bare = withoutExtension(value)
  const known = normalizeForBlock('phone', bare, region).normalized
  if (known !== null) return [known]
  const typed = phoneAsTyped(bare, region)
  if (typed !== undefined && !isAbroad(region)) return [typed]
  const national = /^0?([1-9]\d{8})$/.exec(dialled(bare))?.[1]
  const mayBeLocal = region !== 'ZA' && national !== undefined && !/[a-z]{3}/i.test(bare)
  return [...(typed === undefined ? [] : [typed]), ...(mayBeLocal ? [`+27${national}`] : [])]
}

/** Returns a number without its extension and without a URL scheme. */
export function withoutExtension(value: string): string {
  return value.replace(/(?:ext\.?|x|#|uitbr\.?|bylyn)\s*\d{1,6}\s*$/i, '').replace(/^\s*(?:tel|callto|sms):/i, '')
}

/**
 * Returns a phone number that could be dialled although no known network uses it. The prefix 09 is accepted, because it was the international prefix
 * of South Africa until 2007.
 */
export function phoneAsTyped(value: string, region: string | null): string | undefined {
  if (/[a-z]{3}/i.test(value)) return undefined
  const digits = dialled(value)
  const [, abroad] = /^(?:\+|00)([1-9]\d{6,14})$/.exec(digits) ?? []
  if (abroad !== undefined) return `+${abroad}`
  if (isAbroad(region)) return possibleLocalPhone(value, region)
  const [, national] =
    (region === 'ZA' ? /^(?:(?:09?)?270?|0)?([1-9]\d{8})$/ : /^(?:09?)?270?([1-9]\d{8})$/).exec(digits) ?? []
  return national === undefined ? undefined : `+27${national}`
}

function dialled(value: string): string {
  return value.replace(/\(0\)/g, '').replace(/[^\d+]/g, '')
}
