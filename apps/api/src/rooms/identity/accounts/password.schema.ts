import { z } from 'zod'

/** Longer than any account's password. A longer input is an invalid request; a shorter one at most a wrong password. */
export const MAX_TYPED_LENGTH = 1_024

/** A typed password. `passwordWeakness` checks new ones. */
export function typedPassword(missing: string) {
  return z.string().min(1, missing).max(MAX_TYPED_LENGTH)
}

/** A typed code, with blanks and dashes anywhere. */
export const typedCode = z.string().min(1, 'Enter the code.').max(100)
