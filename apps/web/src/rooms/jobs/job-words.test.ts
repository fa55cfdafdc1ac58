import type { JobEvent } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { durationOf, eventLines, eventWords, formatDuration, formatEstimate, shortfallWords } from './job-words.ts'

const at = '2026-11-21T08:00:00.000Z'
const event = (sequence: number, type: JobEvent['type'], data: JobEvent['data'] = {}): JobEvent => ({
  jobId: 'job',
  sequence,
  type,
  at,
  data,
})

test('durations and estimates have the precision of their source', () => {
  expect([420, 12_400, 200_000, 7_500_000, -5].map(formatDuration)).toEqual([
    '0,4 s',
    '12 s',
    '3 min 20 s',
    '2 h 5 min',
    '0 s',
  ])
  expect([4_000, 31_000, 58_000, 130_000, 3_700_000, 9_000_000].map(formatEstimate)).toEqual([
    'a few seconds left',
    'about 40 seconds left',
    'about 1 minute left',
    'about 3 minutes left',
    'about 1 hour left',
    'about 3 hours left',
  ])
})

test('a job that has not started has no duration', () => {
  expect(durationOf({ startedAt: null, endedAt: null }, 0)).toBeNull()
  expect(durationOf({ startedAt: at, endedAt: null }, Date.parse(at) + 5_000)).toBe(5_000)
  expect(durationOf({ startedAt: at, endedAt: '2026-11-21T08:00:02.000Z' }, 0)).toBe(2_000)
})

test('events are described in words, failures with their reason', () => {
  expect(eventWords(event(1, 'created', { attempt: 2, retryOf: 'x' }))).toBe('Queued as attempt 2')
  expect(eventWords(event(1, 'created', { attempt: 2, retryOf: 'x', because: 'internal_error' }))).toBe(
    'Queued as attempt 2 by the job worker, after internal error',
  )
  expect(eventWords(event(2, 'started', { claim: 3 }))).toBe('Restarted')
  expect(eventWords(event(3, 'failed', { error: { code: 'timeout', message: 'Too slow.' } }))).toBe('Failed: Too slow.')
})

test('a job that succeeded without a complete answer states what is lacking', () => {
  expect(shortfallWords({ state: 'deferred', reason: 'budget_day' })).toBe('Deferred: budget day')
  expect(shortfallWords({ state: 'unknown', reason: null })).toBe('Unknown')
})

test('consecutive progress events become one line with the current state', () => {
  const progress = (sequence: number) => event(sequence, 'progress', { done: sequence, total: 9, unit: 'steps' })
  const lines = eventLines([
    event(1, 'created'),
    event(2, 'started'),
    progress(3),
    event(4, 'checkpoint'),
    progress(5),
    event(6, 'failed'),
  ])
  expect(lines.map(({ event: { sequence }, from }) => [from, sequence])).toEqual([
    [1, 1],
    [2, 2],
    [3, 5],
    [6, 6],
  ])
})
