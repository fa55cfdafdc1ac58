import { expect, test } from 'vitest'
import { bodyOf, missingIn, presetsFor, questionFrom, searchOf } from './report-question.ts'
import { parseReportQuestion } from './report-search.ts'

const zone = 'Africa/Johannesburg'
const now = '2026-11-20T22:30:00.000Z'

test('a question that nobody has begun is this month, in the days of the tenant', () => {
  expect(questionFrom({}, zone, now)).toMatchObject({ from: '2026-11-01', to: '2026-11-21', asOf: '', zone })
})

test('the address carries the whole question and nothing that is no part of it', () => {
  const search = parseReportQuestion({
    from: '2026-01-01',
    asOf: '2026-02-01 10:00',
    tag: '2024',
    other: 'x',
    name: '',
  })
  expect(search).toEqual({ from: '2026-01-01', asOf: '2026-02-01 10:00', tag: '2024' })
  const question = questionFrom(search, zone, now)
  expect(searchOf(question, zone)).toEqual({ ...search, to: '2026-11-21' })
  expect(questionFrom(searchOf(question, zone), zone, now)).toEqual(question)
})

test('a zone that is none, or none that this browser knows, is the tenant’s', () => {
  expect(questionFrom(parseReportQuestion({ zone: 'Mars/Base' }), zone, now).zone).toBe(zone)
  expect(questionFrom(parseReportQuestion({ zone: 'Asia/Tokyo' }), zone, now).zone).toBe('Asia/Tokyo')
})

test('what is no day, no time or the wrong way round is said beside its field', () => {
  const question = questionFrom({}, zone, now)
  expect(missingIn(question)).toEqual({})
  expect(missingIn({ ...question, from: '2026-02-30', asOf: 'noon' })).toEqual({
    from: 'This date does not exist.',
    asOf: 'Enter a date and time, such as 2026-11-21 14:30.',
  })
  expect(missingIn({ ...question, to: '2026-10-01' })).toEqual({ to: 'The last day is before the first.' })
})

test('a time on the clock is a moment of the zone that was chosen', () => {
  const question = questionFrom({ asOf: '2026-11-21T10:00', province: 'GP', assignee: 'a', tag: ' Wind ' }, zone, now)
  expect(bodyOf(question)).toEqual({
    from: '2026-11-01',
    to: '2026-11-21',
    timeZone: zone,
    asOf: '2026-11-21T08:00:00.000Z',
    filter: { province: 'GP', assigneeId: 'a', tag: 'Wind' },
  })
})

test('a time is written here as in every other form', () => {
  const question = { ...questionFrom({}, zone, now), asOf: ' 2026/3/1 9:05' }
  expect(missingIn(question)).toEqual({})
  expect(bodyOf(question).asOf).toBe('2026-03-01T07:05:00.000Z')
})

test('the intervals that are asked for often are calendar days, across the turn of the year too', () => {
  expect(presetsFor('2026-01-15')).toEqual([
    { label: 'This month', from: '2026-01-01', to: '2026-01-15' },
    { label: 'Last month', from: '2025-12-01', to: '2025-12-31' },
    { label: 'Last 30 days', from: '2025-12-17', to: '2026-01-15' },
    { label: 'This year', from: '2026-01-01', to: '2026-01-15' },
  ])
})
