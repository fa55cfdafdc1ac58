import { createHmac } from 'node:crypto'
import { createLocalJWKSet, exportSPKI, importJWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { CLIENT_ID, createSigner, createTestProvider, ISSUER } from '../../../../test/company-provider.ts'
import { createTestClock } from '../../../../test/test-clock.ts'
import { CompanyRefused, MAX_ID_TOKEN_LENGTH, verifyIdToken } from './id-token.ts'

const clock = createTestClock()
const provider = await createTestProvider({ trustedAmr: ['mfa', 'otp'], trustedAcr: ['gold'] }, clock)
const { signer, settings } = provider
const keys = createLocalJWKSet({ keys: [signer.jwk] })
const now = clock()
const seconds = now.getTime() / 1_000
const NONCE = 'nonce of this request'

const claims = (changed: Record<string, unknown> = {}) => provider.claims({ nonce: NONCE, ...changed })
const verify = (idToken: string, set = keys) => verifyIdToken(idToken, { settings, keys: set, nonce: NONCE, now })
const verifySigned = async (changed: Record<string, unknown> = {}, header = {}) =>
  verify(await signer.sign(claims(changed), header))
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function refusal(attempt: Promise<unknown>) {
  const error = await attempt.catch((thrown: unknown) => thrown)
  if (!(error instanceof CompanyRefused)) throw error
  expect(error.message).toMatch(/^[A-Z].*\.$/)
  return { reason: error.reason, subject: error.subject }
}

test('a valid token names the issuer and the subject', async () => {
  const identity = { issuer: ISSUER, subject: 'subject of the operator', factorAt: null }
  expect(await verifySigned()).toEqual(identity)
  expect(await verifySigned({ aud: [CLIENT_ID] })).toEqual(identity)
  expect(await verifySigned({ aud: ['another', CLIENT_ID], azp: CLIENT_ID })).toEqual(identity)
})

const signed = 'subject of the operator'
test.each<[string, Record<string, unknown>, string, subject?: string]>([
  ['expired', { exp: seconds - 61 }, 'expired', signed],
  ['from a clock that is five minutes slow', { iat: seconds - 300, exp: seconds + 300 }, 'expired', signed],
  ['from a clock that is five minutes fast', { iat: seconds + 300, exp: seconds + 900 }, 'future', signed],
  ['valid only later', { nbf: seconds + 61 }, 'future', signed],
  ['of another issuer', { iss: 'https://id.other.example' }, 'issuer', signed],
  ['of another tenant of the issuer', { iss: `${ISSUER}/` }, 'issuer', signed],
  ['for another client', { aud: 'another' }, 'audience', signed],
  ['for several audiences without azp', { aud: [CLIENT_ID, 'another'] }, 'audience', signed],
  ['for another authorized party', { azp: 'another' }, 'audience', signed],
  ['with another nonce', { nonce: 'other' }, 'nonce', signed],
  ['with a list as nonce', { nonce: [NONCE] }, 'nonce', signed],
  ['without a nonce', { nonce: undefined }, 'incomplete', signed],
  ['without an end', { exp: undefined }, 'incomplete', signed],
  ['without a start', { iat: undefined }, 'incomplete', signed],
  ['without a subject', { sub: undefined }, 'incomplete'],
  ['with an empty subject', { sub: '' }, 'incomplete'],
  ['with a subject that is too long', { sub: 'x'.repeat(256) }, 'incomplete'],
])('a token %s is refused', async (_what, changed, reason, subject) => {
  expect(await refusal(verifySigned(changed))).toEqual({ reason, subject })
})

test('a difference of clocks below a minute is accepted', async () => {
  await verifySigned({ iat: seconds + 59, nbf: seconds + 59 })
  await verifySigned({ exp: seconds - 59 })
})

describe('a token that nobody can trust is refused without naming its subject:', () => {
  const unsigned = { reason: expect.any(String), subject: undefined }

  test('without a signature', async () => {
    for (const alg of ['none', 'None', 'nOnE']) {
      expect(await refusal(verify(`${part({ alg })}.${part(claims())}.`))).toEqual({ ...unsigned, reason: 'algorithm' })
    }
  })

  test('signed by HS256 with the public key as the secret', async () => {
    const publicKey = await importJWK(signer.jwk, 'RS256', { extractable: true })
    if (publicKey instanceof Uint8Array) throw new Error('An RSA key is no bytes.')
    const body = `${part({ alg: 'HS256', kid: signer.kid })}.${part(claims())}`
    for (const secret of [await exportSPKI(publicKey), JSON.stringify(signer.jwk), signer.jwk.n ?? '']) {
      const forged = `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
      expect(await refusal(verify(forged))).toEqual({ ...unsigned, reason: 'algorithm' })
    }
  })

  test('by an algorithm that the operator has not allowed', async () => {
    const other = await createSigner('ec', 'ES256')
    const both = createLocalJWKSet({ keys: [signer.jwk, other.jwk] })
    expect((await refusal(verify(await other.sign(claims()), both))).reason).toBe('algorithm')
  })

  test('by an unknown key, or by another key under a known id', async () => {
    const stranger = await createSigner('unknown')
    expect((await refusal(verify(await stranger.sign(claims())))).reason).toBe('unknown_key')
    const named = await createSigner(signer.kid)
    expect(await refusal(verify(await named.sign(claims())))).toEqual({ ...unsigned, reason: 'signature' })
  })

  test('without a key id, if several keys are possible', async () => {
    const second = await createSigner('second')
    const both = createLocalJWKSet({ keys: [signer.jwk, second.jwk] })
    const idToken = await signer.sign(claims(), { kid: undefined })
    expect((await refusal(verify(idToken, both))).reason).toBe('unknown_key')
    expect((await verify(idToken)).subject).toBe(signed)
  })

  test('changed after it was signed', async () => {
    const [header, , signature] = (await signer.sign(claims())).split('.')
    const changed = `${header}.${part(claims({ sub: 'somebody else' }))}.${signature}`
    expect((await refusal(verify(changed))).reason).toBe('signature')
  })

  test.each(['', 'text', 'a.b.c', '..', 'eyJ9.e30.', `${part({ alg: 'RS256', crit: ['exp'], exp: 1 })}.e30.AA`])(
    'malformed: %s',
    async (text) => {
      expect(['malformed', 'algorithm']).toContain((await refusal(verify(text))).reason)
    },
  )

  test('longer than any provider issues', async () => {
    expect((await refusal(verify('x'.repeat(MAX_ID_TOKEN_LENGTH + 1)))).reason).toBe('too_long')
  })
})

describe('the second factor of the provider', () => {
  const at = new Date((seconds - 100) * 1_000).toISOString()
  const factorAt = async (changed: Record<string, unknown>) => (await verifySigned(changed)).factorAt

  test('counts from the time at which the provider checked it, if amr or acr has a trusted value', async () => {
    const auth_time = seconds - 100
    expect(await factorAt({ amr: ['pwd', 'otp'], auth_time })).toBe(at)
    expect(await factorAt({ acr: 'gold', auth_time })).toBe(at)
  })

  test('does not count with other values, or without the time', async () => {
    const auth_time = seconds - 100
    for (const changed of [{ amr: ['pwd'] }, { amr: 'mfa' }, { acr: 'silver' }, { acr: ['gold'] }, {}]) {
      expect(await factorAt({ ...changed, auth_time })).toBe(null)
    }
    for (const time of [undefined, null, 'yesterday', -1, 1.5]) {
      expect(await factorAt({ amr: ['mfa'], auth_time: time })).toBe(null)
    }
  })

  test('of the future is refused, and one within the difference of clocks counts from now', async () => {
    expect(await factorAt({ amr: ['mfa'], auth_time: seconds + 30 })).toBe(now.toISOString())
    expect((await refusal(factorAt({ amr: ['mfa'], auth_time: seconds + 61 }))).reason).toBe('future')
  })
})
