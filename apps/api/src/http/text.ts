import { z } from 'zod'
import { numeral } from '../lib/numeral.ts'
import { isPhoneCountry } from '../lib/phone-countries.ts'

/** Matches a control character, except tab and line ends. */
const unprintable = /[^\P{Cc}\t\n\r]/u

/**
 * Matches a visible character. White space and characters that no font draws do not count, because a name or reason that consists of them would look
 * empty.
 */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Schema of a text that a person types. The text is stored exactly as typed, and must have at least one visible character and no control characters.
 * `as` may transform the text first; the maximum length applies to the result.
 */
export function text(maxLength: number, as = z.string()) {
  return as
    .min(1, { error: 'Enter some text.', abort: true })
    .max(maxLength, `At most ${numeral(maxLength)} characters.`)
    .refine((value) => !unprintable.test(value), 'This text contains characters that cannot be stored.')
    .refine((value) => visible.test(value), { error: 'Enter some text.', abort: true })
}

/** Schema of a text on a single line, without line ends and tabs. */
export function line(maxLength: number, as = z.string()) {
  return text(maxLength, as).refine((value) => !/[\t\r\n]/.test(value), 'Keep this on one line.')
}

/** First accepted year. An earlier one is a typing error, such as 0026 for 2026. */
const FIRST_YEAR = 1900
/** Message for a day or time before the first year. */
export const TOO_EARLY = `Enter a year of ${FIRST_YEAR} or later.`
/** The instant at which the first year begins in the earliest time zone, UTC+14. */
const FIRST_INSTANT = `${FIRST_YEAR - 1}-12-31T10:00:00.000Z`

/** Schema of a calendar day of any year, for stored values. Input of people uses `day`. */
export const calendarDay = z.iso.date('Enter a day such as 2026-11-21.')

/** Returns true if a calendar day, or a time in UTC, is before the first year. */
export const isTooEarly = (value: string): boolean =>
  value < (value.includes('T') ? FIRST_INSTANT : `${FIRST_YEAR}-01-01`)

/** Schema of a calendar day. */
export const day = calendarDay.refine((value) => !isTooEarly(value), TOO_EARLY)

/** Schema of a time of any year in RFC 3339 with an offset, for stored values. The result is in UTC with milliseconds. Input of people uses `instant`. */
export const storedInstant = z.iso
  .datetime({ offset: true, error: 'Enter a time such as 2026-11-21T08:30:00Z.' })
  .transform((value) => new Date(value).toISOString())
  .refine((value) => /^\d{4}-/.test(value), { error: 'Enter a year of four digits.', abort: true })

/** Schema of a time. */
export const instant = storedInstant.refine((value) => !isTooEarly(value), TOO_EARLY)

/** Schema of the country to which local phone numbers belong, an ISO 3166 alpha-2 code. */
export const region = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Enter the country as two letters, such as ZA.', abort: true })
  .refine(isPhoneCountry, 'No country with telephone numbers has this code. Enter one such as ZA, US or GB.')

/** Schema of a boolean in a query. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** Maximum length of a parameter in a path. `http/server.ts` sets the same limit for the router. */
export const MAX_PARAMETER_LENGTH = 200

/** Schema of an id in a path. A malformed id is accepted here and results in 404 like a missing record, because no record can have it. */
export const recordId = z.string().max(MAX_PARAMETER_LENGTH).meta({ format: 'uuid' })
