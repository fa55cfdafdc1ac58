import { z } from 'zod'

/**
 * Maximum length of a typed password, longer than any account's password. A longer input is an invalid request, and a shorter one is at most a wrong
 * password.
 */
export const MAX_TYPED_LENGTH = 1_024

/** Schema of a typed password. `passwordWeakness` checks new passwords. */
export function typedPassword(missing: string) {
  return z.string().min(1, missing).max(MAX_TYPED_LENGTH)
}

/** Schema of a typed code, which may contain blanks and dashes anywhere. */
export const typedCode = z.string().min(1, 'Enter the code.').max(100)
