import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import type { CompanySettings } from '../src/config.ts'
import type { Person } from './person.ts'
import { temporaryFolder } from './template-store.ts'
import { createTestClock, type TestClock } from './test-clock.ts'

export const ISSUER = 'https://id.company.example/v2.0'
export const CLIENT_ID = 'prospect-platform'

export type Signer = { kid: string; jwk: JWK; sign: (payload: JWTPayload, header?: object) => Promise<string> }

export async function createSigner(kid: string, alg = 'RS256'): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return {
    kid,
    jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg },
    sign: (payload, header = {}) =>
      new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'JWT', ...header }).sign(privateKey),
  }
}

/** Claims of a token. An undefined one is left out. */
type Claims = Record<string, unknown>

export type TestProvider = {
  settings: CompanySettings
  signer: Signer
  /** writes the key file; by default with the key of `signer` */
  writeKeys(content?: unknown): void
  removeKeys(): void
  /** returns the claims of a token that is valid now */
  claims(changed?: Claims): JWTPayload
}

/** Creates the keys and the settings of a provider whose tokens a test signs itself. */
export async function createTestProvider(
  changed: Partial<CompanySettings> = {},
  clock: TestClock = createTestClock(),
): Promise<TestProvider> {
  const file = join(temporaryFolder(), 'jwks.json')
  const signer = await createSigner('first key')
  const writeKeys = (content: unknown = { keys: [signer.jwk] }) =>
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  writeKeys()
  return {
    settings: {
      name: 'Example Directory',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      authorizationEndpoint: 'https://id.company.example/authorize?tenant=one',
      jwksFile: file,
      jwksMaxAgeDays: 7,
      algorithms: ['RS256'],
      trustedAmr: [],
      trustedAcr: [],
      ...changed,
    },
    signer,
    writeKeys,
    removeKeys: () => rmSync(file),
    claims: (claims) => {
      const seconds = Math.floor(clock().getTime() / 1_000)
      return {
        iss: ISSUER,
        aud: CLIENT_ID,
        sub: 'subject of the operator',
        iat: seconds,
        exp: seconds + 300,
        ...claims,
      }
    },
  }
}

export type Answered = { idToken: string; state: string }

/** Starts a sign-in in the person's browser, or a link of their account, and signs the answer as the provider would. */
export async function answerFor(
  person: Pick<Person, 'post'>,
  { signer, claims }: TestProvider,
  options: { link?: boolean; claims?: Claims; header?: object; by?: Signer } = {},
): Promise<Answered> {
  const path = options.link === true ? '/company-identities/request' : '/session/company/request'
  const { status, body } = await person.post<{ url: string }>(path, {})
  if (status !== 200) throw new Error(`not started: ${JSON.stringify(body)}`)
  const asked = new URL(body.url).searchParams
  const payload = claims({ nonce: asked.get('nonce') ?? '', ...options.claims })
  return {
    idToken: await (options.by ?? signer).sign(payload, options.header),
    state: asked.get('state') ?? '',
  }
}
