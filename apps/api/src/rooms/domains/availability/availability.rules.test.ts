import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Report, verdictOf } from './availability.rules.ts'

const NOW = '2026-11-25T10:00:00.000Z'
const report: Report = {
  outcome: 'answered',
  source: 'registry',
  isAuthorized: true,
  status: 'available',
  observedAt: '2026-11-25T09:00:00.000Z',
  freshUntil: '2026-11-25T11:00:00.000Z',
}

test('the report of an authorized provider is shown with its source and time', () => {
  expect(verdictOf([report], NOW)).toEqual({
    status: 'available',
    outcome: 'answered',
    reason: null,
    source: 'registry',
    observedAt: report.observedAt,
  })
})

test.for([
  ['no report', [], 'unavailable', 'no_provider'],
  [
    'a provider that defers',
    [{ outcome: 'deferred', source: 'a', reason: 'rate_limited' }],
    'deferred',
    'rate_limited',
  ],
  [
    'an outage',
    [report, { outcome: 'unavailable', source: 'a', reason: 'circuit_open' }],
    'unavailable',
    'circuit_open',
  ],
  ['expired terms', [{ outcome: 'unavailable', source: 'a', reason: 'source_lapsed' }], 'unavailable', 'source_lapsed'],
  ['a provider without authorization', [{ ...report, isAuthorized: false }], 'unavailable', 'not_authorized'],
  ['a stale report', [{ ...report, freshUntil: NOW }], 'answered', 'stale'],
  ['two reports that disagree', [report, { ...report, status: 'not_available' }], 'answered', 'conflicting_results'],
  ['a provider that does not know', [{ ...report, status: 'unknown' }], 'answered', 'provider_unknown'],
] as const)('%s is unknown', ([_what, reports, outcome, reason]) => {
  expect(verdictOf(reports, NOW)).toMatchObject({ status: 'unknown', outcome, reason, source: null })
})

test('a status other than unknown is what every report says, each authorized and fresh', () => {
  const reports = fc.array(
    fc.oneof(
      fc.record({
        outcome: fc.constant('answered' as const),
        source: fc.constantFrom('a', 'b'),
        isAuthorized: fc.boolean(),
        status: fc.constantFrom('available' as const, 'not_available' as const, 'unknown' as const),
        observedAt: fc.constant(report.outcome === 'answered' ? report.observedAt : NOW),
        freshUntil: fc.constantFrom('2026-11-25T09:30:00.000Z', '2026-11-25T11:00:00.000Z'),
      }),
      fc.record({
        outcome: fc.constantFrom('deferred' as const, 'unavailable' as const),
        source: fc.constant(null),
        reason: fc.constant('circuit_open'),
      }),
    ),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(reports, (given) => {
      const { status, reason } = verdictOf(given, NOW)
      expect(status === 'unknown').toBe(reason !== null)
      if (status === 'unknown') return
      for (const one of given)
        expect(one).toMatchObject({
          outcome: 'answered',
          isAuthorized: true,
          status,
          freshUntil: '2026-11-25T11:00:00.000Z',
        })
    }),
  )
})
