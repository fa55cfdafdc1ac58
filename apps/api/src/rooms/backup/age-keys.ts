import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { AppError } from '../../lib/app-error.ts'

/** People who hold a key of the backups; more than these is a mistake. */
const MAX_RECIPIENTS = 20
const RECIPIENT = /^age1[0-9a-z]{20,}$/
const IDENTITY = /^AGE-SECRET-KEY-1[0-9A-Z]{20,}$/

/** Public keys, with commas, spaces or lines between, `#` before a comment. Errors: `invalid_request`, without repeating what was given. */
export function requireRecipients(text: string): string[] {
  const words = wordsOf(text)
  if (words.some((word) => /secret/i.test(word))) {
    throw invalid(
      'A secret key has no place on this server: give its public key (age1…), and treat that secret key as known to others.',
    )
  }
  if (words.length === 0 || words.length > MAX_RECIPIENTS || words.some((word) => !RECIPIENT.test(word))) {
    throw invalid(`It takes 1 to ${MAX_RECIPIENTS} public keys of age (age1…), with commas between.`)
  }
  return words
}

/** Secret keys, one a line, as `age-keygen` writes them. Errors: `invalid_request`, without repeating what was given. */
export function requireIdentities(text: string): string[] {
  const words = wordsOf(text)
  if (words.length === 0 || words.length > MAX_RECIPIENTS || words.some((word) => !IDENTITY.test(word))) {
    throw invalid('The identity file holds no secret key of age (AGE-SECRET-KEY-1…), or something else besides.')
  }
  return words
}

export async function newIdentity(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

function wordsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, ''))
    .join(' ')
    .split(/[\s,]+/)
    .filter((word) => word !== '')
}

function invalid(message: string): AppError {
  return new AppError('invalid_request', message)
}
