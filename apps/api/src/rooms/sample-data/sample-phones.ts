import type { PhoneBody } from './sample-plan.ts'
import type { SeededRandom } from './seeded-random.ts'

/**
 * South Africa keeps no block of numbers for fiction. So: mobiles in series to which libphonenumber's carrier table
 * knows no network (069, 077, 0819), landlines behind the exchange 555 that every reader takes for invented. Nothing in
 * the platform dials; a person who does may still reach somebody, as that table is not the regulator's register.
 */
const mobileSeries = ['069', '077', '0819']

/** A number in its national form, ten digits with the leading 0. */
export type NationalNumber = string

/** A landline's number, other than those in `taken` while the exchange has room; the answer is added to `taken`. */
export function freshLandline(random: SeededRandom, dialCode: string, taken: Set<NationalNumber>): NationalNumber {
  return fresh(random, `${dialCode}555`, taken)
}

export function freshMobile(random: SeededRandom, taken: Set<NationalNumber>): NationalNumber {
  return fresh(random, random.pick(mobileSeries), taken)
}

function fresh(random: SeededRandom, prefix: string, taken: Set<NationalNumber>): NationalNumber {
  const digits = 10 - prefix.length
  let number = ''
  // Bounded: an exchange that is nearly full hands a number out twice rather than never answering.
  for (let attempt = 0; attempt < 25; attempt++) {
    number = prefix + String(random.int(0, 10 ** digits - 1)).padStart(digits, '0')
    if (!taken.has(number)) break
  }
  taken.add(number)
  return number
}

const localSpellings: readonly ((code: string, exchange: string, line: string) => string)[] = [
  (code, exchange, line) => `0${code} ${exchange} ${line}`,
  (code, exchange, line) => `0${code} ${exchange} ${line}`,
  (code, exchange, line) => `(0${code}) ${exchange} ${line}`,
  (code, exchange, line) => `(0${code}) ${exchange}-${line}`,
  (code, exchange, line) => `0${code}-${exchange}-${line}`,
  (code, exchange, line) => `0${code}${exchange}${line}`,
]

const internationalSpellings: readonly ((code: string, exchange: string, line: string) => string)[] = [
  (code, exchange, line) => `+27 ${code} ${exchange} ${line}`,
  (code, exchange, line) => `+27${code}${exchange}${line}`,
  (code, exchange, line) => `+27 (0)${code} ${exchange} ${line}`,
]

/** The number as one person or another would write it. */
export function spellPhone(random: SeededRandom, number: NationalNumber): { value: string; isInternational: boolean } {
  const isInternational = random.chance(0.35)
  const spelling = random.pick(isInternational ? internationalSpellings : localSpellings)
  return { value: spelling(number.slice(1, 3), number.slice(3, 6), number.slice(6)), isInternational }
}

/** A local form is only understood with its country; now and then an operator leaves that out, and the record says so. */
export function phoneBody(random: SeededRandom, number: NationalNumber, label: string | null): PhoneBody {
  const { value, isInternational } = spellPhone(random, number)
  return {
    value,
    ...(label === null ? {} : { label }),
    ...(isInternational || random.chance(0.12) ? {} : { region: 'ZA' }),
  }
}
