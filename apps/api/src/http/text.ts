import { z } from 'zod'
import { isPhoneCountry } from '../lib/phone-countries.ts'

/** Control characters but for tab and line ends. */
const unprintable = /[^\P{Cc}\t\n\r]/u

/** Something that shows: neither a space of any kind nor what no font draws, of which a reason or a name would look empty. */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Text as a person types it: kept exactly, but it must hold something that can be seen and no control characters. `as` may bring it into
 * another form first, which is what its length is then measured by.
 */
export function text(maxLength: number, as = z.string()) {
  return as
    .min(1, { error: 'Write something here.', abort: true })
    .max(maxLength, `At most ${maxLength.toLocaleString('en')} characters.`)
    .refine((value) => !unprintable.test(value), 'This text holds characters that cannot be stored.')
    .refine((value) => visible.test(value), { error: 'Write something here.', abort: true })
}

/** One line: no line ends or tabs. */
export function line(maxLength: number, as = z.string()) {
  return text(maxLength, as).refine((value) => !/[\t\r\n]/.test(value), 'Keep this on one line.')
}

/** RFC 3339 with an offset; kept in UTC with milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: 'Write a time such as 2026-11-21T08:30:00Z.' })
  .transform((value) => new Date(value).toISOString())
  .refine((value) => /^\d{4}-/.test(value), 'Write a year of four digits.')

/** ISO 3166 alpha-2 code of a country with telephone numbers: where a number in local form belongs. */
export const region = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Write the country as two letters, such as ZA.', abort: true })
  .refine(isPhoneCountry, 'No country with telephone numbers has this code. Write one such as ZA, US or GB.')

/** Yes or no, as a query says it. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** The longest parameter of a path; `app.ts` holds the router to the same. */
export const MAX_PARAMETER_LENGTH = 200

/** An identifier in a path. One that is malformed is not there, like any other that is not: 404, not 400. */
export const recordId = z.string().max(MAX_PARAMETER_LENGTH).meta({ format: 'uuid' })
