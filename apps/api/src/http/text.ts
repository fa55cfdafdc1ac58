import { z } from 'zod'
import { isPhoneCountry } from '../lib/phone-countries.ts'

/** Control characters except tab and line ends. */
const unprintable = /[^\P{Cc}\t\n\r]/u

/** A visible character. White space and characters that no font draws do not count, because a name or reason of only those would look empty. */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Text that a person types: stored exactly, with at least one visible character and no control characters. `as` may transform the text
 * first; the maximum applies to the result.
 */
export function text(maxLength: number, as = z.string()) {
  return as
    .min(1, { error: 'Enter some text.', abort: true })
    .max(maxLength, `At most ${maxLength.toLocaleString('en')} characters.`)
    .refine((value) => !unprintable.test(value), 'This text contains characters that cannot be stored.')
    .refine((value) => visible.test(value), { error: 'Enter some text.', abort: true })
}

/** One line: no line ends or tabs. */
export function line(maxLength: number, as = z.string()) {
  return text(maxLength, as).refine((value) => !/[\t\r\n]/.test(value), 'Keep this on one line.')
}

/** RFC 3339 with an offset; the result is UTC with milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: 'Enter a time such as 2026-11-21T08:30:00Z.' })
  .transform((value) => new Date(value).toISOString())
  .refine((value) => /^\d{4}-/.test(value), 'Enter a year of four digits.')

/** ISO 3166 alpha-2 code of the country that local phone numbers belong to. */
export const region = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Enter the country as two letters, such as ZA.', abort: true })
  .refine(isPhoneCountry, 'No country with telephone numbers has this code. Enter one such as ZA, US or GB.')

/** A boolean in a query. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** Longest parameter of a path; `http/server.ts` sets the same limit for the router. */
export const MAX_PARAMETER_LENGTH = 200

/** An identifier in a path. A malformed identifier cannot exist, so it results in 404 like a missing record, not in 400. */
export const recordId = z.string().max(MAX_PARAMETER_LENGTH).meta({ format: 'uuid' })
