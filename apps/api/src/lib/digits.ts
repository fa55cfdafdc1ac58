import { z } from 'zod'

/** Returns the number written in plain decimal digits, otherwise NaN. `Number` also accepts `0x10`, `1e1`, ` 5` and an empty text. */
export function numberInDigits(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}

/** Parses a number in a query, a header or an environment variable, which are all text. */
export function inDigits<Schema extends z.ZodType>(number: Schema) {
  return z.preprocess((value) => (typeof value === 'string' ? numberInDigits(value) : value), number)
}
