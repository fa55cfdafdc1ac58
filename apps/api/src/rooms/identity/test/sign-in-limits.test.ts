import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../../../test/test-clock.ts'
import { AppError } from '../../../lib/app-error.ts'
import { createAttemptLimit } from '../limits/attempt-limit.ts'
import { createGrowingDelay } from '../limits/growing-delay.ts'
import { createSignInLimits, OF_ACCOUNT, OF_ADDRESS, OF_ONE_SOURCE } from '../limits/sign-in-limits.ts'

const THANDI = 'thandi@example.com'

function setUp() {
  const clock = createTestClock()
  const limits = createSignInLimits(clock)
  const refusal = (account: string, address: string, device?: string): AppError | undefined => {
    try {
      limits.take({ account, address, device })
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
  test('for one account from one address wait longer each time, up to a maximum', () => {
    const { clock, refusal, fail } = setUp()
    fail(OF_ONE_SOURCE.free, THANDI, '10.0.0.1')
    const waits: (number | undefined)[] = []
    for (let i = 0; i < 12; i++) {
      const waitSeconds = refusal(THANDI, '10.0.0.1')?.details.retryAfterSeconds
      waits.push(waitSeconds)
      clock.advance((waitSeconds ?? 0) * 1_000)
      expect(refusal(THANDI, '10.0.0.1')).toBeUndefined()
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  test('delay the attacker, not the owner of the account', () => {
    const { refusal, fail } = setUp()
    fail(1_000, THANDI, '10.0.0.1')
    expect(refusal(THANDI, '10.0.0.2')).toBeUndefined()
  })

  test('do not wait longer when the clock was set back: the wait counts from then on', () => {
    const { clock, refusal, fail } = setUp()
    fail(OF_ONE_SOURCE.free, THANDI, '10.0.0.1')
    clock.advance(-86_400_000)
    expect(refusal(THANDI, '10.0.0.1')?.details.retryAfterSeconds).toBe(1)
    clock.advance(1_000)
    expect(refusal(THANDI, '10.0.0.1')).toBeUndefined()
    expect(refusal(THANDI, '10.0.0.1')?.details.retryAfterSeconds).toBe(2)
  })

  test('are reset after a quiet hour', () => {
    const { clock, refusal, fail } = setUp()
    fail(OF_ONE_SOURCE.free, THANDI, '10.0.0.1')
    expect(refusal(THANDI, '10.0.0.1')).toBeDefined()
    clock.advance(3_600_000)
    for (let i = 0; i < OF_ONE_SOURCE.free; i++) expect(refusal(THANDI, '10.0.0.1')).toBeUndefined()
  })

  test('of one address on many accounts are refused beyond its limit, for a minute at most', () => {
    const { clock, refusal, fail } = setUp()
    for (let i = 0; i < OF_ADDRESS.free; i++) fail(1, `user${i}@example.com`, '10.0.0.1')
    expect(refusal('another@example.com', '10.0.0.1')).toBeDefined()
    expect(refusal('another@example.com', '10.0.0.2')).toBeUndefined()
    clock.advance(OF_ADDRESS.maxMs)
    expect(refusal('another@example.com', '10.0.0.1')).toBeUndefined()
  })

  test('that the address limit refuses delay nobody else: they were never made', () => {
    const { clock, refusal, fail } = setUp()
    for (let i = 0; i < OF_ADDRESS.free + 8; i++) {
      clock.advance(OF_ADDRESS.maxMs)
      fail(1, `user${i}@example.com`, '10.0.0.1')
    }
    for (let second = 0; second < OF_ADDRESS.maxMs / 1_000; second++) {
      expect(refusal(THANDI, '10.0.0.1')).toBeDefined()
      clock.advance(1_000)
    }
    expect(refusal(THANDI, '10.0.0.1')).toBeUndefined()
  })

  test('on one account from many addresses are refused beyond its limit, but never on a known device', () => {
    const { refusal, fail } = setUp()
    for (let i = 0; i < OF_ACCOUNT.free; i++) fail(1, THANDI, `10.0.${i >> 8}.${i & 255}`)
    expect(refusal(THANDI, '10.9.9.9')).toBeDefined()
    expect(refusal(THANDI, '10.9.9.9', 'her own laptop')).toBeUndefined()
  })

  test('on a known device are counted by the device, from any address', () => {
    const { refusal } = setUp()
    for (let i = 0; i < OF_ONE_SOURCE.free; i++) refusal(THANDI, `10.0.0.${i}`, 'a stolen laptop')
    expect(refusal(THANDI, '10.0.0.99', 'a stolen laptop')).toBeDefined()
  })

  test('from one IPv6 network count as one address', () => {
    const { refusal, fail } = setUp()
    for (let i = 0; i < OF_ONE_SOURCE.free; i++) fail(1, THANDI, `2001:db8:1:2::${i + 1}`)
    expect(refusal(THANDI, '2001:db8:1:2:ffff::9')).toBeDefined()
    expect(refusal(THANDI, '2001:db8:1:3::1')).toBeUndefined()
  })
})

test('a successful sign-in does not count', () => {
  const { limits, refusal } = setUp()
  for (let i = 0; i < 10 * OF_ACCOUNT.free; i++) {
    limits.take({ account: THANDI, address: '10.0.0.1' })
    limits.giveBack({ account: THANDI, address: '10.0.0.1' })
  }
  expect(refusal(THANDI, '10.0.0.1')).toBeUndefined()
})

test('a successful sign-in resets the failures of its account and address, and no others', () => {
  const { limits, refusal, fail } = setUp()
  const thandi = { account: THANDI, address: '10.0.0.1' }
  fail(OF_ONE_SOURCE.free - 1, THANDI, thandi.address)
  limits.take(thandi)
  limits.giveBack(thandi)
  for (let i = 0; i < OF_ONE_SOURCE.free; i++) expect(refusal(THANDI, thandi.address)).toBeUndefined()
  for (let i = 2 * OF_ONE_SOURCE.free - 1; i < OF_ADDRESS.free; i++) fail(1, `user${i}@example.com`, thandi.address)
  expect(refusal('another@example.com', thandi.address)).toBeDefined()
})

test('an attempt that the store rejected does not count; one that failed otherwise counts', async () => {
  const { limits, refusal } = setUp()
  const attempt = { account: THANDI, address: '10.0.0.1' }
  const end = async (error: Error) => {
    limits.take(attempt)
    await expect(limits.whileAvailable(attempt, () => Promise.reject(error))).rejects.toBe(error)
  }
  for (let i = 0; i < 2 * OF_ONE_SOURCE.free; i++) await end(new AppError('unavailable', 'The disk is full.'))
  for (let i = 0; i < OF_ONE_SOURCE.free; i++) await end(i % 2 ? new AppError('conflict', 'No.') : new Error('broken'))
  expect(refusal(THANDI, '10.0.0.1')).toBeDefined()
})

test('a limit stores a bounded number of keys, and drops the oldest first', () => {
  const limit = createAttemptLimit(createTestClock(), { max: 1, windowMs: 1_000, maxKeys: 2 })
  for (const key of ['a', 'b', 'c']) expect(limit.take(key)).toBe(0)
  expect(limit.take('b')).toBe(1_000)
  expect(limit.take('c')).toBe(1_000)
  expect(limit.take('a')).toBe(0)
})

test('a growing delay stores a bounded number of keys, and drops the least recent first', () => {
  const options = { free: 1, firstMs: 1_000, maxMs: 8_000, forgetAfterMs: 60_000, maxKeys: 2 }
  const delay = createGrowingDelay(createTestClock(), options)
  for (const key of ['a', 'b', 'c']) expect(delay.take(key)).toBe(0)
  expect(delay.take('b')).toBe(1_000)
  expect(delay.take('c')).toBe(1_000)
  expect(delay.take('a')).toBe(0)
})

test('a window is not extended when the clock was set back', () => {
  const clock = createTestClock()
  const limit = createAttemptLimit(clock, { max: 1, windowMs: 1_000, maxKeys: 2 })
  expect(limit.take('a')).toBe(0)
  clock.advance(-86_400_000)
  expect(limit.take('a')).toBe(1_000)
  clock.advance(1_000)
  expect(limit.take('a')).toBe(0)
})
