import { expect, test } from 'vitest'
import { decideReclaim, decideRetry, MAX_ATTEMPTS_OF_LINEAGE } from './jobs.rules.ts'

test('a job that loses its worker is resumed five times and fails the sixth time; with a requested cancellation it is cancelled', () => {
  const decided = Array.from({ length: 6 }, (_, reclaims) => decideReclaim({ reclaims, isCancelRequested: false }))
  expect(decided).toEqual(['requeue', 'requeue', 'requeue', 'requeue', 'requeue', 'fail'])
  expect(decideReclaim({ reclaims: 5, isCancelRequested: true })).toBe('cancel')
})

test('the newest unsuccessful attempt can be retried, up to the last attempt of a lineage', () => {
  const ask = (attempt: number, newestAttempt = attempt) => decideRetry({ status: 'failed', attempt, newestAttempt })
  const last = MAX_ATTEMPTS_OF_LINEAGE
  expect([ask(1), ask(last - 1), ask(last), ask(1, 2)]).toEqual(['allowed', 'allowed', 'too_many', 'retried_already'])
  for (const status of ['queued', 'running'] as const)
    expect(decideRetry({ status, attempt: 1, newestAttempt: 1 })).toBe('not_ended')
  expect(decideRetry({ status: 'succeeded', attempt: 1, newestAttempt: 1 })).toBe('succeeded')
})
