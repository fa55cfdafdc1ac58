import { z } from 'zod'

/** Returns the number that a text of decimal digits denotes, otherwise NaN. `Number` would also accept `0x10`, `1e1`, ` 5` and an empty text. */
export function numberInDigits(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}

/** Schema of a number in a query, a header or an environment variable, where every value is text. */
export function inDigits<Schema extends z.ZodType>(number: Schema) {
  return z.preprocess((value) => (typeof value === 'string' ? numberInDigits(value) : value), number)
}
