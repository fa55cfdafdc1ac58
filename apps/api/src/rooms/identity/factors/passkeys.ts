import { z } from 'zod'
import { AppError } from '../../../lib/app-error.ts'
import type { Assertion, Attestation, CreationOptions, RequestOptions } from '../accounts/passkeys.schema.ts'
import { CHALLENGE_LIFE_MS, type Challenges } from './challenges.ts'
import { checkInThread } from './passkey-thread.ts'

const NAME = 'Prospect Platform'
/** Numbers of the accepted signature algorithms (Ed25519, ES256, RS256), which common authenticators support. */
const ALGORITHMS = [-8, -7, -257]

type Credential = { id: string; transports: string[] }
/** A stored passkey. */
export type KnownPasskey = { credentialId: string; publicKey: string; counter: number }
export type NewPasskey = KnownPasskey & { transports: string[] }

/** Returns the host of the page, to which passkeys are bound. The request guard has already checked that the host is expected. */
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

/**
 * Returns the options with which a browser registers a new authenticator. They request no attestation, because the manufacturer of the authenticator
 * does not matter.
 */
export function creationOptions(
  challenges: Challenges,
  options: {
    origin: string
    sessionId: string
    user: { id: string; email: string; name: string }
    known: readonly Credential[]
  },
): CreationOptions {
  const { origin, sessionId, user, known } = options
  return {
    challenge: challenges.issue(registrationPurpose(sessionId)),
    rp: { id: relyingParty(origin), name: NAME },
    user: { id: Buffer.from(user.id).toString('base64url'), name: user.email, displayName: user.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_LIFE_MS,
    excludeCredentials: known.map(describe),
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
    attestation: 'none',
  }
}

/**
 * Returns the options with which a browser signs a challenge. If `known` is empty, the authenticator offers the passkeys that it stores for this
 * host.
 */
export function requestOptions(
  challenges: Challenges,
  options: {
    origin: string
    purpose: string
    known: readonly Credential[]
    userVerification: 'required' | 'preferred'
  },
): RequestOptions {
  const { origin, purpose, known, userVerification } = options
  return {
    challenge: challenges.issue(purpose),
    rpId: relyingParty(origin),
    timeout: CHALLENGE_LIFE_MS,
    allowCredentials: known.map(describe),
    userVerification,
  }
}

/** Verifies the response to `creationOptions` and returns the new passkey. Errors: `passkey_invalid` for any fault. */
export async function verifyAttestation(
  challenges: Challenges,
  { origin, sessionId, attestation }: { origin: string; sessionId: string; attestation: Attestation },
): Promise<NewPasskey> {
  const { id, rawId, type, response } = attestation
  const { registered, refused } = await checkInThread({
    registration: {
      response: { id, rawId, type, clientExtensionResults: {}, response: defined(response) },
      expectedChallenge: takeChallenge(challenges, registrationPurpose(sessionId), response.clientDataJSON),
      expectedOrigin: origin,
      expectedRPID: relyingParty(origin),
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    },
  })
  if (registered?.verified !== true) throw passkeyInvalid(refused)
  const { credential } = registered.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
  }
}

/** Verifies that the passkey signed this challenge for this host, and returns its new counter. Errors: `passkey_invalid` for any fault. */
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
  const { authenticated, refused } = await checkInThread({
    authentication: {
      response: { id, rawId, type, clientExtensionResults: {}, response: defined(response) },
      expectedChallenge: takeChallenge(challenges, purpose, response.clientDataJSON),
      expectedOrigin: origin,
      expectedRPID: relyingParty(origin),
      requireUserVerification: mustVerifyUser,
      credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: passkey.counter },
    },
  })
  if (authenticated?.verified !== true) throw passkeyInvalid(refused)
  return { counter: authenticated.authenticationInfo.newCounter }
}

const clientData = z.object({ challenge: z.string() })

/** Consumes and returns the challenge that the response contains, if it was issued for this purpose. The library then checks the signature. */
function takeChallenge(challenges: Challenges, purpose: string, clientDataJson: string): string {
  const { data } = clientData.safeParse(jsonOf(Buffer.from(clientDataJson, 'base64url').toString('utf8')))
  if (data === undefined || !challenges.take(purpose, data.challenge))
    throw passkeyInvalid('This passkey request has expired or was already used.')
  return data.challenge
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The text is not JSON, so it contains no challenge.
    return undefined
  }
}

/** Removes properties whose value is undefined, because the library checks only whether a property is present. */
function defined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return JSON.parse(JSON.stringify(values))
}

/** Returns the error for the client. `found`: the fault, for the log only. */
function passkeyInvalid(found = 'The passkey was not verified.'): AppError {
  return new AppError('passkey_invalid', 'This passkey could not be verified here. Try again.', {
    cause: new Error(found),
  })
}

function describe({ id, transports }: Credential) {
  return { id, type: 'public-key' as const, transports }
}

function bytesOf(base64url: string) {
  return new Uint8Array(Buffer.from(base64url, 'base64url'))
}
