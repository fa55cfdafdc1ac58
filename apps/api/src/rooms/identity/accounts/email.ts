import { z } from 'zod'

const MAX_EMAIL_LENGTH = 254

/** The form in which an account's address is kept and compared: one person, one account, however they type it. */
export function canonicalEmail(typed: string): string {
  return typed.trim().normalize('NFC').toLowerCase()
}

/** The address of a new account. */
export const accountEmail = z
  .string()
  .max(MAX_EMAIL_LENGTH, `At most ${MAX_EMAIL_LENGTH} characters.`)
  .transform(canonicalEmail)
  .pipe(z.email('Write an e-mail address, such as thandi@example.com.'))
