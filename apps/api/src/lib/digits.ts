import { z } from 'zod'

/** The number that a text writes in plain decimal digits; NaN for any other. `Number` alone reads `0x10`, `1e1`, ` 5` and an empty text too. */
export function numberInDigits(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}

/** A number of a query, a header or a variable of the environment, where everything is text. */
export function inDigits<Schema extends z.ZodType>(number: Schema) {
  return z.preprocess((value) => (typeof value === 'string' ? numberInDigits(value) : value), number)
}
