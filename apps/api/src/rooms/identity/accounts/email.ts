import { z } from 'zod'

const MAX_EMAIL_LENGTH = 254

/** Returns the form in which an account's email address is stored and compared, so that a person has one account however the address is typed. */
export function canonicalEmail(typed: string): string {
  return typed.trim().normalize('NFC').toLowerCase()
}

/** The email address of a new account. */
export const accountEmail = z
  .string()
  .max(MAX_EMAIL_LENGTH, `At most ${MAX_EMAIL_LENGTH} characters.`)
  .transform(canonicalEmail)
  .pipe(z.email('Enter an email address, such as thandi@example.com.'))
