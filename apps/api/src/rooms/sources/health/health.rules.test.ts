import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combine, type Latencies, percentiles, startOf, withLatency } from './health.rules.ts'

test('an interval begins at its whole minutes or its day, in UTC', () => {
  expect(startOf('minutes_5', '2026-11-21T08:07:59.999Z')).toBe('2026-11-21T08:05:00.000Z')
  expect(startOf('day', '2026-11-21T23:59:59.999Z')).toBe('2026-11-21T00:00:00.000Z')
})

test('without measurements there is no duration, and never zero', () => {
  expect(percentiles({}, [0.5, 0.95])).toEqual([null, null])
})

test('a percentile is at least the true one, and at most a quarter longer', () => {
  const duration = fc.integer({ min: 1, max: 120_000 })
  fc.assert(
    fc.property(fc.array(duration, { minLength: 1, maxLength: 50 }), (durations) => {
      const counted = durations.reduce<Latencies>(withLatency, {})
      const sorted = durations.toSorted((a, b) => a - b)
      for (const [at, share] of [0.5, 0.95].entries()) {
        const found = percentiles(counted, [0.5, 0.95])[at] ?? 0
        const real = sorted[Math.ceil(share * sorted.length) - 1] ?? 0
        expect(found).toBeGreaterThanOrEqual(real)
        expect(found).toBeLessThanOrEqual(Math.ceil(real * 1.25))
      }
    }),
  )
})

test('buckets are added step by step', () => {
  expect(combine([{ 1: 2, 3: 1 }, { 3: 4 }])).toEqual({ 1: 2, 3: 5 })
})
