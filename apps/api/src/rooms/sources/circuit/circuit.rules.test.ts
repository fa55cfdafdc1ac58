import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CircuitState } from '../sources.table.ts'
import { type Counted, type Thresholds, transitionAfter, unusableBecause, WINDOW, windowOf } from './circuit.rules.ts'

const thresholds: Thresholds = { failureRatio: 0.5, consecutiveFailures: 3, latencyMs: 1_000, closeAfterSuccesses: 2 }
const ok: Counted = { isFailure: false, latencyMs: 10 }
const slow: Counted = { isFailure: false, latencyMs: 5_000 }
const failure: Counted = { isFailure: true, latencyMs: 10 }
const after = (state: CircuitState, recent: readonly Counted[], isAccessDenied = false) =>
  transitionAfter({ state, recent, isAccessDenied }, thresholds)

test('failures in a row open a closed circuit, from the threshold on', () => {
  expect(after('closed', [failure, failure, ok])).toBeUndefined()
  expect(after('closed', [failure, failure, failure, ok])).toEqual({ state: 'open', cause: 'consecutive_failures' })
})

test('a share of failures above the threshold opens it, once there are enough to judge by', () => {
  const mixed = [failure, failure, ok, failure, failure, ok, failure, failure, ok]
  expect(after('closed', mixed)).toBeUndefined()
  expect(after('closed', [...mixed, failure])).toEqual({ state: 'open', cause: 'failure_ratio' })
})

test('slow responses in general open it', () => {
  expect(
    after(
      'closed',
      Array.from({ length: 9 }, () => slow),
    ),
  ).toBeUndefined()
  expect(
    after(
      'closed',
      Array.from({ length: 10 }, () => slow),
    ),
  ).toEqual({ state: 'open', cause: 'latency' })
})

test('a provider that does not permit access opens it at once', () => {
  expect(after('closed', [failure], true)).toEqual({ state: 'open', cause: 'access_denied' })
})

test('an open circuit stays open whatever ends', () => {
  for (const recent of [[ok, ok, ok], [failure], [slow]]) expect(after('open', recent)).toBeUndefined()
})

test('probation succeeds after the required number of successes, and fails by one failure', () => {
  expect(after('probation', [ok])).toBeUndefined()
  expect(after('probation', [ok, ok])).toEqual({ state: 'closed', cause: 'probation_passed' })
  expect(after('probation', [failure, ok])).toEqual({ state: 'open', cause: 'probation_failed' })
})

test('in any history, only a reset leaves an open circuit, and a closed one opens only at a failure, a slow response or a refusal', () => {
  const outcome = fc.constantFrom<'ok' | 'slow' | 'failure' | 'denied' | 'reset'>(
    'ok',
    'slow',
    'failure',
    'denied',
    'reset',
  )
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 60 }), (outcomes) => {
      let state: CircuitState = 'closed'
      let recent: Counted[] = []
      for (const one of outcomes) {
        if (one === 'reset') {
          if (state === 'open') [state, recent] = ['probation', []]
          continue
        }
        const counted = { ok, slow, failure, denied: failure }[one]
        recent = [counted, ...recent].slice(0, windowOf(thresholds))
        const transition = transitionAfter({ state, recent, isAccessDenied: one === 'denied' }, thresholds)
        if (state === 'open') expect(transition).toBeUndefined()
        if (transition?.state === 'open' && state === 'closed') {
          const window = recent.slice(0, WINDOW)
          expect(window.some((seen) => seen.isFailure || seen.latencyMs > thresholds.latencyMs)).toBe(true)
        }
        if (transition?.state === 'closed') {
          expect(state).toBe('probation')
          expect(recent.every((seen) => !seen.isFailure)).toBe(true)
        }
        if (transition !== undefined) [state, recent] = [transition.state, []]
      }
    }),
  )
})

test('a record is usable once, for its opening, approved by another person, for seven days', () => {
  const incident = {
    openingId: 'o1',
    decision: 'approve' as const,
    usedAt: null,
    createdAt: '2026-11-01T00:00:00.000Z',
  }
  const because = (change: Partial<Parameters<typeof unusableBecause>[0]>, now = '2026-11-08T00:00:00.000Z') =>
    unusableBecause({ ...incident, ...change }, 'o1', now)
  expect(because({})).toBeUndefined()
  expect(because({}, '2026-11-08T00:00:00.001Z')).toContain('older than 7 days')
  expect(because({ openingId: 'o2' })).toContain('an earlier stop')
  expect(because({ decision: null })).toContain('must approve')
  expect(because({ decision: 'reject' })).toContain('must approve')
  expect(because({ usedAt: '2026-11-02T00:00:00.000Z' })).toContain('used for a restart')
})
