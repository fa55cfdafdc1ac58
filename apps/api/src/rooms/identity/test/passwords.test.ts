import { describe, expect, test } from 'vitest'
import {
  defaultPasswordCost,
  hashPassword,
  isMadeAtOtherCost,
  passwordVerifier,
  passwordWeakness,
} from '../passwords/passwords.ts'

const EMAIL = 'thandi@example.com'
const composed = 'caf\u00e9 beside the lake'
const verifyPassword = passwordVerifier(defaultPasswordCost)
const decomposed = 'cafe\u0301 beside the lake'

describe('a new password', () => {
  test.each([
    ['11 characters', 'abcdefghijk'],
    ['257 characters', 'abcdefgh'.repeat(33).slice(0, 257)],
    ['one character over and over', 'aaaaaaaaaaaaaaaaaaaa'],
    ['the e-mail address', `my ${EMAIL} password`],
    ['the e-mail address in capitals', `my ${EMAIL.toUpperCase()} password`],
    ['the name before the @', 'the thandi of old'],
    ['a common password', 'Qwerty123456'],
    ['a common password with digits and signs around it', '!!Football2026##'],
    ['a common password again and again', 'sunshinesunshine'],
  ])('is refused with %s, in a sentence without the password', (_what, password) => {
    const weakness = passwordWeakness(password, EMAIL)
    expect(weakness).toBeTypeOf('string')
    expect(weakness).not.toContain(password)
    expect(weakness).not.toContain(EMAIL)
  })

  test.each([
    ['12 characters', 'abcdzfghijkl'],
    ['256 characters', 'abcdefgh'.repeat(32)],
  ])('is accepted with %s', (_what, password) => {
    expect(passwordWeakness(password, EMAIL)).toBeUndefined()
  })

  test('is measured in its composed form', () => {
    expect(passwordWeakness(`${'e\u0301'.repeat(3)}abcdefgh`, EMAIL)).toBeTypeOf('string')
  })
})

describe('a stored password', () => {
  test('is argon2id with 19 MiB, two passes and one lane', async () => {
    expect(await hashPassword(composed)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('is salted: the same password twice gives two hashes', async () => {
    expect(await hashPassword(composed)).not.toBe(await hashPassword(composed))
  })

  test('is the same however its accents were typed', async () => {
    expect(await verifyPassword(await hashPassword(composed), decomposed)).toBe(true)
  })

  test('does not match another', async () => {
    expect(await verifyPassword(await hashPassword(composed), 'something else entirely')).toBe(false)
  })

  test('is detected to have another cost than the current one', async () => {
    const passwordHash = await hashPassword(composed)
    expect(isMadeAtOtherCost(passwordHash, defaultPasswordCost)).toBe(false)
    expect(isMadeAtOtherCost(passwordHash, { ...defaultPasswordCost, passes: 3 })).toBe(true)
  })

  test('that was removed matches nothing', async () => {
    expect(await verifyPassword('', '')).toBe(false)
  })

  test('that does not exist matches nothing', async () => {
    expect(await verifyPassword(undefined, composed)).toBe(false)
  })
})
