import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { CompanySettings } from '../../../config.ts'
import { CLOCKS_DIFFER_MS } from '../../../lib/clock.ts'

/** Maximum length of an ID token. Those of large providers have some two thousand characters. */
export const MAX_ID_TOKEN_LENGTH = 16_384
/** Time from the start of a company sign-in to its end, in which a person may also have to register a factor at the provider. */
export const COMPANY_SIGN_IN_LIFE_MS = 15 * 60_000
/**
 * Maximum age of an ID token. The provider issues it at the end of the sign-in, and the browser sends it on at once. With `CLOCKS_DIFFER_MS` it is
 * less than five minutes, so a provider whose clock is five minutes slow is refused like one whose clock is fast.
 */
const MAX_ID_TOKEN_AGE_MS = 3 * 60_000
/** Maximum length of a subject (OpenID Connect Core, 2). */
const MAX_SUBJECT_LENGTH = 255

/** Sentences by the reason of a refusal. Reasons are recorded in the audit, and programs read them. */
const sentences = {
  provider_refused: 'The provider did not sign you in.',
  state: 'This sign-in was not started in this browser, was already used, or took longer than 15 minutes. Start again.',
  malformed: 'The answer of the provider is not a valid ID token.',
  too_long: 'The ID token of the provider is too long.',
  algorithm: 'The ID token is signed by an algorithm that is not accepted here.',
  unknown_key:
    'The ID token is signed by a key that is not in the key file of this server. Tell the operator of the server.',
  signature: 'The signature of the ID token is wrong.',
  issuer: 'The ID token comes from another issuer.',
  audience: 'The ID token was issued for another application.',
  nonce: 'The ID token belongs to another sign-in. Start again.',
  expired: 'The ID token has expired, or the clocks of this server and the provider differ. Start again.',
  future: 'The ID token is valid only in the future: the clocks of this server and the provider differ.',
  incomplete: 'The ID token lacks a required value.',
  not_linked:
    'This company account is not linked to an account here. Sign in with your password, then link it under Security.',
  linked_elsewhere: 'This company account is already linked to another account.',
} as const
export type RefusalReason = keyof typeof sentences

/** A refused answer of the provider. `subject` is set if the signature is correct. */
export class CompanyRefused extends Error {
  readonly reason: RefusalReason
  readonly subject: string | undefined

  constructor(reason: RefusalReason, options: { subject?: string | undefined; cause?: unknown } = {}) {
    super(sentences[reason], { cause: options.cause })
    this.reason = reason
    this.subject = options.subject
  }
}

export type CompanyIdentity = {
  issuer: string
  subject: string
  /** when the provider checked a second factor; null if it did not, or does not say so by a trusted value */
  factorAt: string | null
}

type Verification = { settings: CompanySettings; keys: JWTVerifyGetKey; nonce: string; now: Date }

/** Verifies an ID token (OpenID Connect Core, 3.2.2.11 and 3.1.3.7). Throws `CompanyRefused`. */
export async function verifyIdToken(idToken: string, verification: Verification): Promise<CompanyIdentity> {
  const { settings, keys, nonce, now } = verification
  if (idToken.length > MAX_ID_TOKEN_LENGTH) throw new CompanyRefused('too_long')
  const { payload } = await jwtVerify(idToken, keys, {
    algorithms: [...settings.algorithms],
    issuer: settings.issuer,
    audience: settings.clientId,
    requiredClaims: ['sub', 'iat', 'exp', 'nonce'],
    clockTolerance: CLOCKS_DIFFER_MS / 1_000,
    maxTokenAge: MAX_ID_TOKEN_AGE_MS / 1_000,
    currentDate: now,
  }).catch((cause: unknown) => {
    throw refusalOf(cause)
  })
  const subject = subjectOf(payload)
  if (!isForClient(payload, settings.clientId)) throw new CompanyRefused('audience', { subject })
  if (payload.nonce !== nonce) throw new CompanyRefused('nonce', { subject })
  return { issuer: settings.issuer, subject, factorAt: factorAt(payload, settings, { now, subject }) }
}

function subjectOf({ sub: subject }: JWTPayload): string {
  if (typeof subject !== 'string' || subject === '' || subject.length > MAX_SUBJECT_LENGTH) {
    throw new CompanyRefused('incomplete')
  }
  return subject
}

/** True if the authorized party is this client. A token for several audiences must name it. */
function isForClient({ aud, azp }: JWTPayload, clientId: string): boolean {
  const isForSeveral = Array.isArray(aud) && aud.length > 1
  return azp === clientId || (azp === undefined && !isForSeveral)
}

/**
 * Returns when the provider checked a second factor, if a trusted value of `amr` or `acr` says so. Without `auth_time` the values are ignored,
 * because they may describe a sign-in at the provider of days ago.
 */
function factorAt(
  { amr, acr, auth_time: seconds }: JWTPayload,
  { trustedAmr, trustedAcr }: CompanySettings,
  { now, subject }: { now: Date; subject: string },
): string | null {
  const isTrusted =
    (Array.isArray(amr) && amr.some((value) => trustedAmr.includes(value))) ||
    (typeof acr === 'string' && trustedAcr.includes(acr))
  if (!isTrusted || typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds < 0) return null
  const atMs = seconds * 1_000
  if (atMs > now.getTime() + CLOCKS_DIFFER_MS) throw new CompanyRefused('future', { subject })
  return new Date(Math.min(atMs, now.getTime())).toISOString()
}

/** Returns the refusal for an error of the library. Any other error is a fault of this program, and is returned unchanged. */
function refusalOf(cause: unknown): unknown {
  if (!(cause instanceof errors.JOSEError)) return cause
  return new CompanyRefused(reasonOf(cause), { subject: signedSubject(cause), cause })
}

/** The library checks claims after the signature, so the payload of these two errors is authentic. */
function signedSubject(cause: unknown): string | undefined {
  const isOfClaim = cause instanceof errors.JWTExpired || cause instanceof errors.JWTClaimValidationFailed
  return isOfClaim && typeof cause.payload.sub === 'string' ? cause.payload.sub : undefined
}

function reasonOf(cause: errors.JOSEError): RefusalReason {
  if (cause instanceof errors.JWTExpired) return 'expired'
  if (cause instanceof errors.JWTClaimValidationFailed) return reasonOfClaim(cause)
  if (cause instanceof errors.JOSEAlgNotAllowed || cause instanceof errors.JOSENotSupported) return 'algorithm'
  if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys)
    return 'unknown_key'
  return cause instanceof errors.JWSSignatureVerificationFailed ? 'signature' : 'malformed'
}

function reasonOfClaim({ claim, reason }: errors.JWTClaimValidationFailed): RefusalReason {
  if (reason === 'missing') return 'incomplete'
  switch (claim) {
    case 'iss':
      return 'issuer'
    case 'aud':
      return 'audience'
    case 'iat':
    case 'nbf':
      return 'future'
    default:
      return 'incomplete'
  }
}
