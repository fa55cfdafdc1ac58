import { expect, test } from 'vitest'
import { decideReclaim, decideRetry, MAX_ATTEMPTS_OF_LINEAGE } from './jobs.rules.ts'

test('a job that loses its worker five times is taken up again, the sixth time it fails; one that is to stop stops', () => {
  const decided = Array.from({ length: 6 }, (_, reclaims) => decideReclaim({ reclaims, isCancelRequested: false }))
  expect(decided).toEqual(['requeue', 'requeue', 'requeue', 'requeue', 'requeue', 'fail'])
  expect(decideReclaim({ reclaims: 5, isCancelRequested: true })).toBe('cancel')
})

test('the newest attempt that came to nothing is tried again, up to the last that a lineage may have', () => {
  const ask = (attempt: number, newestAttempt = attempt) => decideRetry({ status: 'failed', attempt, newestAttempt })
  const last = MAX_ATTEMPTS_OF_LINEAGE
  expect([ask(1), ask(last - 1), ask(last), ask(1, 2)]).toEqual(['allowed', 'allowed', 'too_many', 'retried_already'])
  for (const status of ['queued', 'running'] as const)
    expect(decideRetry({ status, attempt: 1, newestAttempt: 1 })).toBe('not_ended')
  expect(decideRetry({ status: 'succeeded', attempt: 1, newestAttempt: 1 })).toBe('succeeded')
})
