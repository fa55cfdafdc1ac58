import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { AppError } from '../../lib/app-error.ts'

/** Maximum number of keys in a list. A longer list is probably a mistake. */
const MAX_RECIPIENTS = 20
const RECIPIENT = /^age1[0-9a-z]{20,}$/
const IDENTITY = /^AGE-SECRET-KEY-1[0-9A-Z]{20,}$/

/**
 * Parses public keys, separated by commas, spaces or line ends; `#` starts a comment. Errors: `invalid_request`, whose message does not repeat the
 * input.
 */
export function requireRecipients(text: string): string[] {
  const words = wordsOf(text)
  if (words.some((word) => /secret/i.test(word))) {
    throw invalid(
      'A secret key must not be on this server: use its public key (age1…), and treat that secret key as compromised.',
    )
  }
  if (words.length === 0 || words.length > MAX_RECIPIENTS || words.some((word) => !RECIPIENT.test(word))) {
    throw invalid(`Enter 1 to ${MAX_RECIPIENTS} public age keys (age1…), separated by commas.`)
  }
  return words
}

/** Parses secret keys, one per line, as `age-keygen` writes them. Errors: `invalid_request`, whose message does not repeat the input. */
export function requireIdentities(text: string): string[] {
  const words = wordsOf(text)
  if (words.length === 0 || words.length > MAX_RECIPIENTS || words.some((word) => !IDENTITY.test(word))) {
    throw invalid('The identity file has no secret age key (AGE-SECRET-KEY-1…), or contains something else as well.')
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
