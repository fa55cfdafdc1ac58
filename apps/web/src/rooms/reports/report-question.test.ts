import { expect, test } from 'vitest'
import { bodyOf, missingIn, presetsFor, questionFrom, searchOf } from './report-question.ts'
import { parseReportQuestion } from './report-search.ts'

const zone = 'Africa/Johannesburg'
const now = '2026-11-20T22:30:00.000Z'

test('a new question covers this month, in days of the tenant', () => {
  expect(questionFrom({}, zone, now)).toMatchObject({ from: '2026-11-01', to: '2026-11-21', asOf: '', zone })
})

test('the address contains the whole question and nothing else', () => {
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

test('an invalid or unknown time zone is replaced by that of the tenant', () => {
  expect(questionFrom(parseReportQuestion({ zone: 'Mars/Base' }), zone, now).zone).toBe(zone)
  expect(questionFrom(parseReportQuestion({ zone: 'Asia/Tokyo' }), zone, now).zone).toBe('Asia/Tokyo')
})

test('an invalid day or time or a reversed range is reported beside its field', () => {
  const question = questionFrom({}, zone, now)
  expect(missingIn(question)).toEqual({})
  expect(missingIn({ ...question, from: '2026-02-30', asOf: 'noon' })).toEqual({
    from: 'This date does not exist.',
    asOf: 'Enter a date and time, such as 21/11/2026 14:30.',
  })
  expect(missingIn({ ...question, to: '2026-10-01' })).toEqual({ to: 'The last day is before the first.' })
})

test('a local time is an instant in the chosen zone', () => {
  const question = questionFrom({ asOf: '2026-11-21T10:00', province: 'GP', assignee: 'a', tag: ' Wind ' }, zone, now)
  expect(bodyOf(question)).toEqual({
    from: '2026-11-01',
    to: '2026-11-21',
    timeZone: zone,
    asOf: '2026-11-21T08:00:00.000Z',
    filter: { province: 'GP', assigneeId: 'a', tag: 'Wind' },
  })
})

test('times have the same formats as in other forms', () => {
  const question = { ...questionFrom({}, zone, now), asOf: ' 2026/3/1 9:05' }
  expect(missingIn(question)).toEqual({})
  expect(bodyOf(question).asOf).toBe('2026-03-01T07:05:00.000Z')
})

test('common ranges are calendar days, also across the turn of the year', () => {
  expect(presetsFor('2026-01-15')).toEqual([
    { label: 'This week', from: '2026-01-12', to: '2026-01-15' },
    { label: 'Last week', from: '2026-01-05', to: '2026-01-11' },
    { label: 'This month', from: '2026-01-01', to: '2026-01-15' },
    { label: 'Last month', from: '2025-12-01', to: '2025-12-31' },
    { label: 'Last 30 days', from: '2025-12-17', to: '2026-01-15' },
    { label: 'This year', from: '2026-01-01', to: '2026-01-15' },
  ])
})

test('a week begins on Monday, also on a Sunday and across the turn of the year', () => {
  expect(presetsFor('2026-11-29').slice(0, 2)).toEqual([
    { label: 'This week', from: '2026-11-23', to: '2026-11-29' },
    { label: 'Last week', from: '2026-11-16', to: '2026-11-22' },
  ])
  expect(presetsFor('2026-01-01').slice(0, 2)).toEqual([
    { label: 'This week', from: '2025-12-29', to: '2026-01-01' },
    { label: 'Last week', from: '2025-12-22', to: '2025-12-28' },
  ])
})
