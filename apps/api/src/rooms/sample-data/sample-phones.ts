import type { PhoneBody } from './sample-plan.ts'
import type { SeededRandom } from './seeded-random.ts'

/**
 * Prefixes of generated mobile numbers. South Africa reserves no numbers for fiction. These series have no network in libphonenumber's carrier table
 * (069, 077, 0819). Landlines use the exchange 555, which readers recognise as invented. The platform never dials. A person who dials such a number
 * may still reach somebody, because the carrier table is not the regulator's register.
 */
const mobileSeries = ['069', '077', '0819']

/** A number in its national form, ten digits with the leading 0. */
export type NationalNumber = string

/** Returns a landline number and adds it to `taken`. The number is unused, as long as the exchange has unused numbers. */
export function freshLandline(random: SeededRandom, dialCode: string, taken: Set<NationalNumber>): NationalNumber {
  return fresh(random, `${dialCode}555`, taken)
}

export function freshMobile(random: SeededRandom, taken: Set<NationalNumber>): NationalNumber {
  return fresh(random, random.pick(mobileSeries), taken)
}

function fresh(random: SeededRandom, prefix: string, taken: Set<NationalNumber>): NationalNumber {
  const digits = 10 - prefix.length
  let number = ''
  // Limit the attempts, so that a nearly full exchange repeats a number instead of searching forever.
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

/** Returns the number in one of several spellings, chosen at random. */
export function spellPhone(random: SeededRandom, number: NationalNumber): { value: string; isInternational: boolean } {
  const isInternational = random.chance(0.35)
  const spelling = random.pick(isInternational ? internationalSpellings : localSpellings)
  return { value: spelling(number.slice(1, 3), number.slice(3, 6), number.slice(6)), isInternational }
}

/**
 * Returns a phone for a request body. A number in local form needs its country. A few records omit it, so that the sample contains uncertain numbers.
 */
export function phoneBody(random: SeededRandom, number: NationalNumber, label: string | null): PhoneBody {
  const { value, isInternational } = spellPhone(random, number)
  return {
    value,
    ...(label === null ? {} : { label }),
    ...(isInternational || random.chance(0.12) ? {} : { region: 'ZA' }),
  }
}
