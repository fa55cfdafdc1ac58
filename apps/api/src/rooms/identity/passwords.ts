import { hash, verify } from '@node-rs/argon2'

const MIN_LENGTH = 12
const MAX_LENGTH = 256
const MIN_DIFFERENT_CHARACTERS = 5

/** argon2id, the algorithm of this library unless told otherwise, in a thread of its own (5 ms when warm; 34 ms by node:crypto). */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** The hash of a password that nobody knows, of the same cost as all others. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$L7Kx2KSzMq9buotzplQxqg$0LjxZ5Mh5L/v7kX/I+m3Y2O4xi4WpjxFP8Gaqp9IqO8'

/** What is wrong with a new password, as a sentence without the password; undefined when it will do. */
export function passwordWeakness(password: string, email: string): string | undefined {
  const { length } = normal(password)
  if (length < MIN_LENGTH) return `A password has at least ${MIN_LENGTH} characters.`
  if (length > MAX_LENGTH) return `A password has at most ${MAX_LENGTH} characters.`
  if (new Set(password).size < MIN_DIFFERENT_CHARACTERS) return 'This password repeats too few characters.'
  if (normal(password).toLowerCase().includes(email)) return 'A password does not contain the e-mail address.'
  return undefined
}

export function hashPassword(password: string): Promise<string> {
  return hash(normal(password), cost)
}

/** Without a hash it does the same work and answers false, so that its duration never tells whether an account exists. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? nobodysHash, normal(password))
  return matches && passwordHash !== undefined
}

/** The same characters typed on another keyboard are the same password. */
function normal(password: string): string {
  return password.normalize('NFC')
}
