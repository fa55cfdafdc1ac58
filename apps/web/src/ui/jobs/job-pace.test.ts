import type { JobEvent } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { newestProgress, paceOf, progressWords } from './job-pace.ts'

const START = Date.parse('2026-11-21T08:00:00.000Z')
const at = (ms: number) => new Date(START + ms).toISOString()

function progress(ms: number, done: number, total: number | null = 100): JobEvent {
  return { jobId: 'job', sequence: 0, type: 'progress', at: at(ms), data: { done, total, unit: 'rows' } }
}
const started: JobEvent = { jobId: 'job', sequence: 0, type: 'started', at: at(0), data: {} }

test('rate and estimate come from observed events, and only after enough of them', () => {
  expect(paceOf([started], START)).toEqual({ rate: null, remainingMs: null, stalledMs: null })
  expect(paceOf([started, progress(1_000, 10), progress(2_000, 20)], START + 2_000).rate).toBeNull()
  const events = [started, progress(1_000, 10), progress(2_000, 20), progress(5_000, 50)]
  expect(paceOf(events, START + 5_000)).toEqual({ rate: 10, remainingMs: 5_000, stalledMs: null })
  expect(paceOf(events, START + 7_000).remainingMs).toBe(3_000)
})

test('only the last minute counts, so a job that slowed down gets no optimistic estimate', () => {
  const events = [started, progress(0, 0, 1_000), progress(10_000, 500, 1_000)]
  for (let second = 20; second <= 100; second += 10) events.push(progress(second * 1_000, 500 + second, 1_000))
  expect(paceOf(events, START + 100_000).rate).toBeCloseTo(1)
})

test('without a total there is a rate but no estimate; a stalled job gets neither', () => {
  const endless = [started, progress(0, 0, null), progress(10_000, 100, null)]
  expect(paceOf(endless, START + 10_000)).toEqual({ rate: 10, remainingMs: null, stalledMs: null })
  const events = [started, progress(0, 0), progress(4_000, 40)]
  expect(paceOf(events, START + 34_000)).toMatchObject({ remainingMs: null, stalledMs: 30_000 })
})

test('events of an earlier run of the job are ignored', () => {
  const events = [started, progress(0, 0), progress(10_000, 50), { ...started, at: at(60_000) }, progress(61_000, 50)]
  expect(paceOf(events, START + 61_000).rate).toBeNull()
})

test('reads progress from every event that contains it', () => {
  const checkpoint: JobEvent = {
    jobId: 'job',
    sequence: 3,
    type: 'checkpoint',
    at: at(0),
    data: { state: {}, progress: { done: 7, total: null, unit: 'rows' } },
  }
  expect(newestProgress([progress(0, 1), checkpoint, started])).toEqual({ done: 7, total: null, unit: 'rows' })
  expect(newestProgress([started])).toBeNull()
})

test('progress text includes the total if it is known', () => {
  expect(progressWords({ done: 1_200, total: 5_000, unit: 'rows' })).toBe('1\u00a0200 of 5\u00a0000 rows')
  expect(progressWords({ done: 1_200, total: null, unit: 'rows' })).toBe('1\u00a0200 rows')
})
