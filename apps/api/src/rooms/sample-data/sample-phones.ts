import type { PhoneBody } from './sample-plan.ts'
import type { SeededRandom } from './seeded-random.ts'

/**
 * South Africa reserves no numbers for fiction. Mobile numbers therefore use series without a network in libphonenumber's carrier table (069, 077,
 * 0819), and landlines use the exchange 555, which readers recognise as invented. The platform never dials. A person who dials such a number may
 * still reach somebody, because that table is not the regulator's register.
 */
const mobileSeries = ['069', '077', '0819']

/** A number in its national form, ten digits with the leading 0. */
export type NationalNumber = string

/** Returns a landline number that is not in `taken`, while the exchange has unused numbers, and adds it to `taken`. */
export function freshLandline(random: SeededRandom, dialCode: string, taken: Set<NationalNumber>): NationalNumber {
  return fresh(random, `${dialCode}555`, taken)
}

export function freshMobile(random: SeededRandom, taken: Set<NationalNumber>): NationalNumber {
  return fresh(random, random.pick(mobileSeries), taken)
}

function fresh(random: SeededRandom, prefix: string, taken: Set<NationalNumber>): NationalNumber {
  const digits = 10 - prefix.length
  let number = ''
  // Bounded attempts: a nearly full exchange repeats a number instead of searching forever.
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

/** Returns the number in one of several spellings. */
export function spellPhone(random: SeededRandom, number: NationalNumber): { value: string; isInternational: boolean } {
  const isInternational = random.chance(0.35)
  const spelling = random.pick(isInternational ? internationalSpellings : localSpellings)
  return { value: spelling(number.slice(1, 3), number.slice(3, 6), number.slice(6)), isInternational }
}

/** Returns a phone for a request body. A local form needs its country; a few records omit it and thus show that they are uncertain. */
export function phoneBody(random: SeededRandom, number: NationalNumber, label: string | null): PhoneBody {
  const { value, isInternational } = spellPhone(random, number)
  return {
    value,
    ...(label === null ? {} : { label }),
    ...(isInternational || random.chance(0.12) ? {} : { region: 'ZA' }),
  }
}
