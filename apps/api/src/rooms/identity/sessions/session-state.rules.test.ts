import { describe, expect, test } from 'vitest'
import { freshUntil, holdOf, isFresh, type SessionState } from './session-state.rules.ts'

const MINUTE_MS = 60_000
const shownAt = '2026-11-22T08:00:00.000Z'
const shown: SessionState = {
  role: 'administrator',
  hasSecondFactor: false,
  mustChangePassword: false,
  passwordAt: shownAt,
  secondFactorAt: null,
  companyFactorAt: null,
}
const production = { environment: 'production' } as const

describe('a proof', () => {
  test.each([
    ['at once', 0, true],
    ['just before a quarter of an hour is over', 15 * MINUTE_MS - 1, true],
    ['a quarter of an hour later', 15 * MINUTE_MS, false],
    ['by a clock that was corrected by half a minute', -MINUTE_MS / 2, true],
    ['by a clock that was set back by a day', -24 * 60 * MINUTE_MS, false],
  ])('%s', (_when, laterMs, fresh) => {
    const now = Date.parse(shownAt) + laterMs
    expect(isFresh(shown, production, now)).toBe(fresh)
    expect(freshUntil(shown, production, now)).toBe(fresh ? '2026-11-22T08:15:00.000Z' : null)
  })
})

test('a session must prove its second factor first: until then a stolen password cannot set another', () => {
  const owing = { ...shown, hasSecondFactor: true, mustChangePassword: true }
  expect(holdOf(owing, production)).toBe('second_factor')
  expect(holdOf({ ...owing, secondFactorAt: shownAt }, production)).toBe('password_change')
})

describe('a second factor that a trusted provider checked', () => {
  const byCompany = { ...shown, hasSecondFactor: true, passwordAt: null, companyFactorAt: shownAt }
  const now = Date.parse(shownAt)

  test('counts for an operator as their own', () => {
    const operator = { ...byCompany, role: 'operator' } as const
    expect([holdOf(operator, production), isFresh(operator, production, now)]).toEqual([null, true])
    expect(isFresh({ ...operator, hasSecondFactor: false }, production, now)).toBe(true)
    expect(isFresh(operator, production, now + 15 * MINUTE_MS)).toBe(false)
  })

  test('does not count for an administrator in production, with or without a factor of their own', () => {
    expect([holdOf(byCompany, production), isFresh(byCompany, production, now)]).toEqual(['second_factor', false])
    const without = { ...byCompany, hasSecondFactor: false }
    expect([holdOf(without, production), isFresh(without, production, now)]).toEqual(['enrolment', false])
    expect(holdOf(byCompany, { environment: 'local' })).toBe(null)
  })

  test('is as old as the later of both proofs', () => {
    const later = new Date(now + 10 * MINUTE_MS).toISOString()
    const both = { ...byCompany, role: 'viewer', secondFactorAt: later } as const
    expect(freshUntil(both, production, now + 20 * MINUTE_MS)).toBe('2026-11-22T08:25:00.000Z')
  })
})
