import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { SECRET_PREFIX, secretOf, tokenIdIn } from './secret.rules.ts'

test('a secret has the documented form, and contains the id of its token', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (id, random) => {
      const secret = secretOf(id, random)
      expect(secret).toMatch(/^pp_[0-9A-Za-z]{71}$/)
      expect(tokenIdIn(secret)).toBe(id)
    }),
  )
})

test('a secret with one changed, missing or added character has no id', () => {
  const secret = secretOf(newId(), randomBytes(32))
  for (let at = 0; at < secret.length; at += 1) {
    const other = secret.charAt(at) === 'x' ? 'y' : 'x'
    expect(tokenIdIn(secret.slice(0, at) + other + secret.slice(at + 1))).toBeUndefined()
    expect(tokenIdIn(secret.slice(0, at) + secret.slice(at + 1))).toBeUndefined()
  }
  for (const text of ['', SECRET_PREFIX, `${secret}0`, ` ${secret}`, `${secret}\n`, secret.toUpperCase()])
    expect(tokenIdIn(text)).toBeUndefined()
})

test('two secrets of one token differ', () => {
  const id = newId()
  expect(secretOf(id, randomBytes(32))).not.toBe(secretOf(id, randomBytes(32)))
})
