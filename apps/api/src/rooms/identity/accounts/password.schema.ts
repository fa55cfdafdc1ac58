import { z } from 'zod'

/** Longer than any account's: what is wrong beyond that is simply not right. */
export const MAX_TYPED_LENGTH = 1_024

/** A password as somebody types it. What a new one must be is for `passwordWeakness` to say. */
export function typedPassword(missing: string) {
  return z.string().min(1, missing).max(MAX_TYPED_LENGTH)
}

/** A code as somebody types it, with blanks and dashes wherever they like. */
export const typedCode = z.string().min(1, 'Enter the code.').max(100)
