import { createRequire } from 'node:module'
import type * as Otplib from 'otplib'
import { seal, unseal } from '../../../lib/sealed-secret.ts'
import type { Keys } from '../../../store/files/keys.ts'

const ISSUER = 'Prospect Platform'
const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
const sixDigits = /^\d{6}$/

/** Loads the library with the first code and not at the start, because it takes 2 MB. */
const require = createRequire(import.meta.url)
let library: typeof Otplib | undefined

function otplib(): typeof Otplib {
  library ??= require('otplib') as typeof Otplib
  return library
}

/** Creates a secret in base32, with the URI that an authenticator app reads from a QR code. */
export function newTotpSecret(email: string): { secret: string; otpauthUri: string } {
  const { generateSecret, generateURI } = otplib()
  const secret = generateSecret({ length: SECRET_BYTES })
  return { secret, otpauthUri: generateURI({ issuer: ISSUER, label: email, secret }) }
}

/**
 * Returns the time step of a code if the code is valid, otherwise undefined. Accepts the current step and the ones directly before and after it (30
 * seconds of clock skew). The step must be newer than `afterStep`, because a used code must not be accepted again (RFC 6238, 5.2).
 */
export function acceptedStep(
  secret: string,
  typed: string,
  { now, afterStep }: { now: Date; afterStep: number },
): number | undefined {
  const token = typed.replace(/[\s-]/g, '')
  if (!sixDigits.test(token)) return undefined
  const epoch = Math.floor(now.getTime() / 1_000)
  const result = otplib().verifySync({ secret, token, epoch, epochTolerance: PERIOD_SECONDS, period: PERIOD_SECONDS })
  if (!result.valid) return undefined
  const step = Math.floor(epoch / PERIOD_SECONDS) + result.delta
  return step > afterStep ? step : undefined
}

/** Encrypts the secret for storage, with a key that is not in the database. */
export function sealTotpSecret(keys: Keys, secret: string, userId: string): string {
  return seal(keys.derive('totp'), secret, userId)
}

export function unsealTotpSecret(keys: Keys, sealed: string, userId: string): string {
  return unseal(keys.derive('totp'), sealed, userId)
}
