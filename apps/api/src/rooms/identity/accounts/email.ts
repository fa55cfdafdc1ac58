import { z } from 'zod'

const MAX_EMAIL_LENGTH = 254

/**
 * Returns the form in which the email address of an account is stored and compared. All spellings of one address have the same form, so a person
 * cannot get two accounts for it.
 */
export function canonicalEmail(typed: string): string {
  return typed.trim().normalize('NFC').toLowerCase()
}

/** Schema of the email address of a new account. */
export const accountEmail = z
  .string()
  .max(MAX_EMAIL_LENGTH, `At most ${MAX_EMAIL_LENGTH} characters.`)
  .transform(canonicalEmail)
  .pipe(z.email('Enter an email address, such as thandi@example.com.'))
