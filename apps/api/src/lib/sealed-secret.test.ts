import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal, unseal } from './sealed-secret.ts'

const key = randomBytes(32)

test('a sealed secret opens only unaltered, with its key and for its account', () => {
  const sealed = seal(key, 'JBSWY3DPEHPK3PXP', 'thandi')
  expect(unseal(key, sealed, 'thandi')).toBe('JBSWY3DPEHPK3PXP')
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('JBSWY3DPEHPK3PXP')
  expect(() => unseal(randomBytes(32), sealed, 'thandi')).toThrow()
  expect(() => unseal(key, sealed, 'sipho')).toThrow()
  for (const at of [0, 15, 30]) {
    const bytes = Buffer.from(sealed, 'base64url')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    expect(() => unseal(key, bytes.toString('base64url'), 'thandi')).toThrow()
  }
})

test('sealing the same secret twice gives different texts', () => {
  expect(seal(key, 'secret', 'thandi')).not.toBe(seal(key, 'secret', 'thandi'))
})
