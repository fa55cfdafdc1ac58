import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { AppError } from '../../lib/app-error.ts'
import { CHALLENGE_LIFE_MS, type Challenges } from './challenges.ts'
import type { Assertion, Attestation, CreationOptions, RequestOptions } from './passkeys.schema.ts'

const NAME = 'Prospect Platform'
/** Ed25519, ES256, RS256: what authenticators have. */
const ALGORITHMS = [-8, -7, -257]

type Credential = { id: string; transports: string[] }
/** A passkey as it is kept. */
export type KnownPasskey = { credentialId: string; publicKey: string; counter: number }
export type NewPasskey = KnownPasskey & { transports: string[] }

/** The host that passkeys are made for: the one of the page, which the guard has found to be ours. */
function relyingParty(origin: string): string {
  return new URL(origin).hostname
}

function registrationPurpose(sessionId: string): string {
  return `register ${sessionId}`
}

export function proofPurpose(sessionId: string): string {
  return `prove ${sessionId}`
}

export const SIGN_IN_PURPOSE = 'sign in'

export async function creationOptions(
  challenges: Challenges,
  options: {
    origin: string
    sessionId: string
    user: { id: string; email: string; name: string }
    known: readonly Credential[]
  },
): Promise<CreationOptions> {
  const { origin, sessionId, user, known } = options
  const made = await generateRegistrationOptions({
    rpName: NAME,
    rpID: relyingParty(origin),
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    challenge: bytesOf(challenges.issue(registrationPurpose(sessionId))),
    timeout: CHALLENGE_LIFE_MS,
    excludeCredentials: [...known],
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  const { challenge, pubKeyCredParams } = made
  return {
    challenge,
    rp: { id: relyingParty(origin), name: NAME },
    user: made.user,
    pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_LIFE_MS,
    excludeCredentials: known.map(describe),
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
    attestation: 'none',
  }
}

/** What the authenticator may answer with. Without known credentials it offers those that it keeps for this host itself. */
export async function requestOptions(
  challenges: Challenges,
  options: {
    origin: string
    purpose: string
    known: readonly Credential[]
    userVerification: 'required' | 'preferred'
  },
): Promise<RequestOptions> {
  const { origin, purpose, known, userVerification } = options
  const made = await generateAuthenticationOptions({
    rpID: relyingParty(origin),
    challenge: bytesOf(challenges.issue(purpose)),
    timeout: CHALLENGE_LIFE_MS,
    userVerification,
  })
  return {
    challenge: made.challenge,
    rpId: relyingParty(origin),
    timeout: CHALLENGE_LIFE_MS,
    allowCredentials: known.map(describe),
    userVerification,
  }
}

/** The new passkey of an answer to `creationOptions`. Errors: `passkey_invalid`, whatever was wrong with it. */
export async function verifyAttestation(
  challenges: Challenges,
  { origin, sessionId, attestation }: { origin: string; sessionId: string; attestation: Attestation },
): Promise<NewPasskey> {
  const { id, rawId, type, response } = attestation
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, clientExtensionResults: {}, response: defined(response) },
      expectedChallenge: (challenge) => challenges.take(registrationPurpose(sessionId), challenge),
      expectedOrigin: origin,
      expectedRPID: relyingParty(origin),
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) throw passkeyInvalid()
    const { publicKey, counter, transports = [] } = registrationInfo.credential
    return {
      credentialId: registrationInfo.credential.id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports,
    }
  } catch (cause) {
    throw passkeyInvalid(cause)
  }
}

/** Whether the passkey answered this challenge here; its new counter. Errors: `passkey_invalid`, whatever was wrong with it. */
export async function verifyAssertion(
  challenges: Challenges,
  options: {
    origin: string
    purpose: string
    assertion: Assertion
    passkey: KnownPasskey
    mustVerifyUser: boolean
  },
): Promise<{ counter: number }> {
  const { origin, purpose, assertion, passkey, mustVerifyUser } = options
  const { id, rawId, type, response } = assertion
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, clientExtensionResults: {}, response: defined(response) },
      expectedChallenge: (challenge) => challenges.take(purpose, challenge),
      expectedOrigin: origin,
      expectedRPID: relyingParty(origin),
      requireUserVerification: mustVerifyUser,
      credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: passkey.counter },
    })
    if (!verified) throw passkeyInvalid()
    return { counter: authenticationInfo.newCounter }
  } catch (cause) {
    throw passkeyInvalid(cause)
  }
}

/** Without the properties that are undefined: the library tells absent ones by their absence. */
function defined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return JSON.parse(JSON.stringify(values))
}

function passkeyInvalid(cause?: unknown): AppError {
  return new AppError('passkey_invalid', 'This passkey could not be checked here. Try again.', { cause })
}

function describe({ id, transports }: Credential) {
  return { id, type: 'public-key' as const, transports }
}

function bytesOf(base64url: string) {
  return new Uint8Array(Buffer.from(base64url, 'base64url'))
}
