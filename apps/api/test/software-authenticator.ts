import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { z } from 'zod'

/** A passkey in software for one host, built on node's crypto, whose counter increases. */
export type SoftwareAuthenticator = {
  /** returns the RegistrationResponseJSON for the options of `POST /mfa/passkeys/options` */
  create(options: unknown, from?: Page): Record<string, unknown>
  /** returns the AuthenticationResponseJSON for the options of a sign-in or of a proof */
  get(options: unknown, from?: Page): Record<string, unknown>
}

/** Properties of a response that a test can change: its origin, user verification and counter. */
export type Page = { origin?: string; userVerified?: boolean; counter?: number }

const ORIGIN = 'http://localhost:8080'
const FLAG_PRESENT = 0x01
const FLAG_VERIFIED = 0x04
const FLAG_ATTESTED = 0x40

const withChallenge = z.object({ challenge: z.string() })

export function createAuthenticator(rpId = 'localhost'): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0

  function authenticatorData(flags: number, count: number, attested = Buffer.alloc(0)): Buffer {
    const counting = Buffer.alloc(4)
    counting.writeUInt32BE(count)
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), counting, attested])
  }

  function clientData(type: string, options: unknown, origin = ORIGIN): Buffer {
    const { challenge } = withChallenge.parse(options)
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }

  return {
    create: (options, { origin } = {}) => {
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(publicKey.export({ format: 'jwk' })),
      ])
      const data = authenticatorData(FLAG_PRESENT | FLAG_VERIFIED | FLAG_ATTESTED, counter, attested)
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data),
      ])
      return {
        ...credential,
        clientExtensionResults: { credProps: { rk: true } },
        authenticatorAttachment: 'platform',
        response: {
          clientDataJSON: clientData('webauthn.create', options, origin).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get: (options, { origin, userVerified = true, counter: forced } = {}) => {
      counter += 1
      const data = authenticatorData(FLAG_PRESENT | (userVerified ? FLAG_VERIFIED : 0), forced ?? counter)
      const client = clientData('webauthn.get', options, origin)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...credential,
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** Encodes a public key as COSE_Key: kty EC2, alg ES256, crv P-256, x, y. */
function coseKey({ x = '', y = '' }: { x?: string; y?: string }): Buffer {
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label]), bytes(Buffer.from(value, 'base64url'))])
  return Buffer.concat([head, coordinate(0x21, x), coordinate(0x22, y)])
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)])
}

function bytes(value: Buffer): Buffer {
  const length = value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff]
  return Buffer.concat([Buffer.from(length), value])
}
