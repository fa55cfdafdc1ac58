import { z } from 'zod'

/*
 * Schemas of WebAuthn's JSON forms (W3C Web Authentication Level 3, 5.1.8), as a browser's `toJSON()` writes them. Unknown members are dropped and
 * not rejected, because browsers can add members.
 */

const bytes = z.base64url().max(16_384)
const credentialId = z.base64url().min(1).max(1_400)
const transports = z.array(z.string().max(50)).max(10).optional()
const type = z.literal('public-key')

export const assertionSchema = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type,
    response: z.object({
      clientDataJSON: bytes,
      authenticatorData: bytes,
      signature: bytes,
      userHandle: bytes.optional(),
    }),
  })
  .meta({ id: 'PasskeyAssertion', description: 'AuthenticationResponseJSON of a browser.' })
export type Assertion = z.infer<typeof assertionSchema>

export const attestationSchema = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type,
    response: z.object({ clientDataJSON: bytes, attestationObject: bytes, transports }),
  })
  .meta({ id: 'PasskeyAttestation', description: 'RegistrationResponseJSON of a browser.' })
export type Attestation = z.infer<typeof attestationSchema>

const descriptor = z.object({ id: z.string(), type, transports: z.array(z.string()).optional() })
const userVerification = z.enum(['required', 'preferred', 'discouraged'])

export const requestOptionsSchema = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.number(),
    allowCredentials: z.array(descriptor),
    userVerification,
  })
  .meta({
    id: 'PasskeyRequestOptions',
    description: 'PublicKeyCredentialRequestOptionsJSON for `navigator.credentials.get`.',
  })
export type RequestOptions = z.infer<typeof requestOptionsSchema>

export const creationOptionsSchema = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type, alg: z.int() })),
    timeout: z.number(),
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({
      residentKey: z.enum(['required', 'preferred', 'discouraged']),
      requireResidentKey: z.boolean(),
      userVerification,
    }),
    attestation: z.literal('none'),
  })
  .meta({
    id: 'PasskeyCreationOptions',
    description: 'PublicKeyCredentialCreationOptionsJSON for `navigator.credentials.create`.',
  })
export type CreationOptions = z.infer<typeof creationOptionsSchema>
