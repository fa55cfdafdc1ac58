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
}

describe('a proof', () => {
  test.each([
    ['at once', 0, true],
    ['just before a quarter of an hour is over', 15 * MINUTE_MS - 1, true],
    ['a quarter of an hour later', 15 * MINUTE_MS, false],
    ['by a clock that was corrected by half a minute', -MINUTE_MS / 2, true],
    ['by a clock that was set back by a day', -24 * 60 * MINUTE_MS, false],
  ])('%s', (_when, laterMs, fresh) => {
    const now = Date.parse(shownAt) + laterMs
    expect(isFresh(shown, now)).toBe(fresh)
    expect(freshUntil(shown, now)).toBe(fresh ? '2026-11-22T08:15:00.000Z' : null)
  })
})

test('a session must prove its second factor first: until then a stolen password cannot set another', () => {
  const owing = { ...shown, hasSecondFactor: true, mustChangePassword: true }
  const policy = { environment: 'production' } as const
  expect(holdOf(owing, policy)).toBe('second_factor')
  expect(holdOf({ ...owing, secondFactorAt: shownAt }, policy)).toBe('password_change')
})
