import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/test-clock.ts'
import { AppError } from '../../lib/app-error.ts'
import { createAttemptLimit } from './attempt-limit.ts'
import {
  createSignInLimits,
  FAILURES_PER_ACCOUNT,
  FAILURES_PER_ACCOUNT_AND_ADDRESS,
  FAILURES_PER_ADDRESS,
  WINDOW_MS,
} from './sign-in-limits.ts'

const THANDI = 'thandi@example.com'

function setUp() {
  const clock = createTestClock()
  const limits = createSignInLimits(clock)
  const refusal = (account: string, address: string): AppError | undefined => {
    try {
      limits.take({ account, address })
      return undefined
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  }
  const fail = (times: number, account: string, address: string) => {
    for (let i = 0; i < times; i++) refusal(account, address)
  }
  return { clock, limits, refusal, fail }
}

describe('failed sign-ins', () => {
  test('for one account from one address are refused past the limit, with the time to wait', () => {
    const { clock, refusal, fail } = setUp()
    fail(FAILURES_PER_ACCOUNT_AND_ADDRESS, THANDI, '10.0.0.1')
    clock.advance(60_000)
    expect(refusal(THANDI, '10.0.0.1')).toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: (WINDOW_MS - 60_000) / 1_000 },
    })
  })

  test('lock out whoever guesses, not the owner of the account', () => {
    const { refusal, fail } = setUp()
    fail(1_000, THANDI, '10.0.0.1')
    expect(refusal(THANDI, '10.0.0.2')).toBeUndefined()
  })

  test('are forgotten when the window ends, however often was tried in between', () => {
    const { clock, refusal, fail } = setUp()
    fail(50, THANDI, '10.0.0.1')
    clock.advance(WINDOW_MS - 1)
    expect(refusal(THANDI, '10.0.0.1')).toBeDefined()
    clock.advance(1)
    expect(refusal(THANDI, '10.0.0.1')).toBeUndefined()
  })

  test('of one address on many accounts are refused past its limit', () => {
    const { refusal, fail } = setUp()
    for (let i = 0; i < FAILURES_PER_ADDRESS; i++) fail(1, `user${i}@example.com`, '10.0.0.1')
    expect(refusal('another@example.com', '10.0.0.1')).toBeDefined()
    expect(refusal('another@example.com', '10.0.0.2')).toBeUndefined()
  })

  test('on one account from many addresses are refused past its limit', () => {
    const { refusal, fail } = setUp()
    for (let i = 0; i < FAILURES_PER_ACCOUNT; i++) fail(1, THANDI, `10.0.${i >> 8}.${i & 255}`)
    expect(refusal(THANDI, '10.9.9.9')).toBeDefined()
  })

  test('from one IPv6 network are one address', () => {
    const { refusal, fail } = setUp()
    for (let i = 0; i < FAILURES_PER_ACCOUNT_AND_ADDRESS; i++) fail(1, THANDI, `2001:db8:1:2::${i + 1}`)
    expect(refusal(THANDI, '2001:db8:1:2:ffff::9')).toBeDefined()
    expect(refusal(THANDI, '2001:db8:1:3::1')).toBeUndefined()
  })
})

test('a sign-in that succeeds counts for nothing', () => {
  const { limits, refusal } = setUp()
  for (let i = 0; i < 10 * FAILURES_PER_ACCOUNT; i++) {
    limits.take({ account: THANDI, address: '10.0.0.1' })
    limits.giveBack({ account: THANDI, address: '10.0.0.1' })
  }
  expect(refusal(THANDI, '10.0.0.1')).toBeUndefined()
})

describe('a limit', () => {
  test('keeps no more keys than it was given room for, and forgets the oldest first', () => {
    const limit = createAttemptLimit(createTestClock(), { max: 1, windowMs: 1_000, maxKeys: 2 })
    for (const key of ['a', 'b', 'c']) expect(limit.take(key)).toBe(0)
    expect(limit.take('b')).toBe(1_000)
    expect(limit.take('c')).toBe(1_000)
    expect(limit.take('a')).toBe(0)
  })
})
