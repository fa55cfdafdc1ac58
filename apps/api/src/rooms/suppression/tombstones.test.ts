import { createHmac, createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasher } from './tombstones.ts'

test('the hash of a key is its HMAC-SHA256 under the key of its tenant, whatever the text and however long', () => {
  const secret = randomBytes(32)
  const keys = { auditSigning: generateKeyPairSync('ed25519').privateKey, derive: () => secret }
  const hash = hasher(keys, 'tenant')
  const tenantKey = createSecretKey(createHmac('sha256', secret).update('tenant').digest())
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 330, maxLength: 3_000, unit: 'binary' }))
  fc.assert(
    fc.property(text, (key) => {
      expect(hash(key)).toBe(`x:${createHmac('sha256', tenantKey).update(key).digest('base64url')}`)
    }),
    { numRuns: 2_000 },
  )
})
