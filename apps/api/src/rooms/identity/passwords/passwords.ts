import { hash, verify } from '@node-rs/argon2'
import { invalidField } from '../../../lib/app-error.ts'
import { isCommonPassword } from './common-passwords.ts'

const MIN_LENGTH = 12
const MAX_LENGTH = 256
const MIN_DIFFERENT_CHARACTERS = 5
/** Minimum length at which the local part of an email address may not occur in its password. A shorter one can be part of a word. */
const MIN_REFUSED_NAME_LENGTH = 6

/** Cost parameters of an argon2id hash. */
export type PasswordCost = { memoryKib: number; passes: number; lanes: number }

/** The smallest cost with two passes that OWASP recommends. A hash takes some 34 ms in its own thread. */
export const defaultPasswordCost: PasswordCost = { memoryKib: 19 * 1024, passes: 2, lanes: 1 }

/**
 * Salt and tag of the hash of an unknown password. After the prefix of a cost they form a hash that no password matches. Verifying it takes as long
 * as verifying a real hash of that cost.
 */
const NOBODYS_SALT_AND_TAG = 'L7Kx2KSzMq9buotzplQxqg$0LjxZ5Mh5L/v7kX/I+m3Y2O4xi4WpjxFP8Gaqp9IqO8'

/** Returns a sentence about the weakness of a new password; undefined if it is acceptable. The sentence does not contain the password. */
export function passwordWeakness(password: string, email: string): string | undefined {
  const { length } = [...normal(password)]
  if (length < MIN_LENGTH) return `A password has at least ${MIN_LENGTH} characters.`
  if (length > MAX_LENGTH) return `A password has at most ${MAX_LENGTH} characters.`
  if (new Set(password).size < MIN_DIFFERENT_CHARACTERS) return 'This password uses too few different characters.'
  if (holdsEmail(comparable(password), email)) return 'A password must not contain the email address.'
  if (isCommonPassword(comparable(password))) return 'This password is too common, or too similar to a common password.'
  return undefined
}

/** Throws for a weak password. Errors: `invalid_request` with `weak_password` at the path. */
export function refuseWeakPassword(path: string, password: string, email: string): void {
  const message = passwordWeakness(password, email)
  if (message !== undefined) throw invalidField(path, 'weak_password', message)
}

export function hashPassword(password: string, cost: PasswordCost = defaultPasswordCost): Promise<string> {
  const { memoryKib, passes, lanes } = cost
  return hash(normal(password), { memoryCost: memoryKib, timeCost: passes, parallelism: lanes })
}

/** True if a stored hash was computed at another cost than this one. */
export function isMadeAtOtherCost(passwordHash: string, cost: PasswordCost): boolean {
  return !passwordHash.startsWith(prefixOf(cost))
}

function prefixOf({ memoryKib, passes, lanes }: PasswordCost): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$`
}

export type VerifyPassword = (passwordHash: string | undefined, password: string) => Promise<boolean>

/**
 * Returns a function that verifies passwords. If the account has no hash, the function does the same work and returns false, so that its duration
 * never reveals whether an account exists.
 */
export function passwordVerifier(cost: PasswordCost): VerifyPassword {
  const nobodys = `${prefixOf(cost)}${NOBODYS_SALT_AND_TAG}`
  return async (passwordHash, password) => {
    const isKnown = passwordHash !== undefined && passwordHash !== ''
    const matches = await verify(isKnown ? passwordHash : nobodys, normal(password))
    return matches && isKnown
  }
}

function holdsEmail(password: string, email: string): boolean {
  const [name = ''] = email.split('@')
  return password.includes(email) || (name.length >= MIN_REFUSED_NAME_LENGTH && password.includes(name))
}

/** Normalizes a password, because the same character can have different encodings on different keyboards. */
function normal(password: string): string {
  return password.normalize('NFC')
}

function comparable(password: string): string {
  return normal(password).toLowerCase()
}
