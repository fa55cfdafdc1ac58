import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, generateSecret } from 'jose'
import { expect, test } from 'vitest'
import { createSigner } from '../../../../test/company-provider.ts'
import { temporaryFolder } from '../../../../test/template-store.ts'
import { createCompanyKeys, inspectCompanyKeys, JwksUnusable, parseJwks } from './jwks-file.ts'

const set = (...keys: unknown[]) => JSON.stringify({ keys })
const { jwk } = await createSigner('a')

async function sentenceOf(text: string): Promise<string> {
  return parseJwks(text).then(
    () => 'accepted',
    (error: unknown) => (error instanceof JwksUnusable ? error.message : `another error: ${error}`),
  )
}

test('accepts RSA, EC and OKP keys, without a use or alg as some providers publish them, and skips keys for encryption', async () => {
  const ec = await createSigner('b', 'ES384')
  const okp = await createSigner('c', 'Ed25519')
  const { use: _use, alg: _alg, ...bare } = jwk
  const { alg: _ecAlg, ...bareEc } = ec.jwk
  const keys = await parseJwks(set(bare, bareEc, okp.jwk, { ...jwk, kid: 'd', use: 'enc' }))
  expect(keys.map(({ kid }) => kid)).toEqual(['a', 'b', 'c'])
})

test.each([
  ['no JSON', '<html>', 'not JSON'],
  ['an empty file', '', 'not JSON'],
  ['another JSON', '{"issuer":"https://id.example"}', 'not a JWK Set'],
  ['no keys', set(), 'no key that verifies signatures'],
  ['keys for encryption only', set({ ...jwk, use: 'enc' }), 'no key that verifies signatures'],
  ['an RSA key without a modulus', set({ kty: 'RSA', e: 'AQAB' }), 'fewer than 2,048 bits'],
  ['a short RSA key', set({ ...jwk, n: Buffer.alloc(128, 7).toString('base64url') }), 'fewer than 2,048 bits'],
  ['an invalid key', set({ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }), 'invalid key'],
])('refuses %s', async (_what, text, sentence) => {
  expect(await sentenceOf(text)).toContain(sentence)
})

test('refuses secret keys of every kind, and does not repeat them', async () => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const secret = await exportJWK(privateKey)
  const shared = await exportJWK(await generateSecret('HS256', { extractable: true }))
  for (const key of [secret, shared, { kty: 'oct' }]) {
    const sentence = await sentenceOf(set(jwk, key))
    expect(sentence).toContain('contains a secret key')
    expect(sentence).not.toContain(String(key.d ?? key.k))
  }
})

test('a file that is missing or too large is unusable', async () => {
  const file = join(temporaryFolder(), 'jwks.json')
  await expect(createCompanyKeys(file).current()).rejects.toThrow('cannot be read')
  writeFileSync(file, set(jwk) + ' '.repeat(256 * 1_024))
  await expect(createCompanyKeys(file).current()).rejects.toThrow('larger than')
  const settings = { jwksFile: file, jwksMaxAgeDays: 7 }
  const problem = expect.stringContaining('larger than')
  expect(await inspectCompanyKeys(settings, new Date())).toEqual({ keys: null, ageDays: null, problem })
})

test('a changed file is read again, and an unchanged one is not', async () => {
  const file = join(temporaryFolder(), 'jwks.json')
  writeFileSync(file, set(jwk))
  const keys = createCompanyKeys(file)
  const first = await keys.current()
  expect(await keys.current()).toBe(first)
  writeFileSync(file, 'half a fi')
  await expect(keys.current()).rejects.toThrow('not JSON')
  writeFileSync(file, set(jwk, { ...jwk, kid: 'second' }))
  expect(await keys.current()).not.toBe(first)
})

test('the age of the file is counted in whole days, and is a problem beyond the limit', async () => {
  const file = join(temporaryFolder(), 'jwks.json')
  writeFileSync(file, set(jwk))
  const writtenAt = new Date('2026-11-01T08:00:00.000Z')
  utimesSync(file, writtenAt, writtenAt)
  const at = (now: string) => inspectCompanyKeys({ jwksFile: file, jwksMaxAgeDays: 7 }, new Date(now))
  expect(await at('2026-11-09T07:59:59.000Z')).toEqual({ keys: 1, ageDays: 7, problem: null })
  const problem = expect.stringContaining('8 days old (limit: 7)')
  expect(await at('2026-11-09T08:00:00.000Z')).toEqual({ keys: 1, ageDays: 8, problem })
})
