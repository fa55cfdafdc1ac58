import { describe, expect, test } from 'vitest'
import { daysAgo, followUpRange } from './relative-days.rules.ts'

/** Moments around a midnight of the workspace and around both clock changes, with the day on which they are. */
const moments = [
  ['Africa/Johannesburg', '2026-11-21T21:59:59.999Z', '2026-11-21'],
  ['Africa/Johannesburg', '2026-11-21T22:00:00.000Z', '2026-11-22'],
  // Summer time ends on 25 October: the day has 25 hours, and 02:30 exists twice.
  ['Europe/Berlin', '2026-10-24T21:59:59.999Z', '2026-10-24'],
  ['Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T01:30:00.000Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T22:59:59.999Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T23:00:00.000Z', '2026-10-26'],
  // Summer time begins on 29 March: the day has 23 hours.
  ['Europe/Berlin', '2026-03-28T22:59:59.999Z', '2026-03-28'],
  ['Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T22:00:00.000Z', '2026-03-30'],
  // Clocks skip midnight of 6 September: the day begins at 01:00.
  ['America/Santiago', '2026-09-06T03:59:59.999Z', '2026-09-05'],
  ['America/Santiago', '2026-09-06T04:00:00.000Z', '2026-09-06'],
] as const

describe.each(moments)('in %s at %s', (timeZone, at, day) => {
  const now = new Date(at)
  const today = Temporal.PlainDate.from(day)

  test(`today is ${day}, and overdue ends on the day before`, () => {
    expect(followUpRange(['today'], now, timeZone)).toEqual({ from: day, to: day })
    expect(followUpRange(['overdue'], now, timeZone)).toEqual({
      from: null,
      to: today.subtract({ days: 1 }).toString(),
    })
  })

  test('this week is the Monday to Sunday that contains today', () => {
    const { from, to } = followUpRange(['this_week'], now, timeZone)
    const [monday, sunday] = [Temporal.PlainDate.from(from ?? ''), Temporal.PlainDate.from(to ?? '')]
    expect([monday.dayOfWeek, sunday.dayOfWeek, monday.until(sunday).days]).toEqual([1, 7, 6])
    expect(day >= String(from) && day <= String(to)).toBe(true)
  })

  test.each([1, 7, 30, 365])('the last %d days begin with the first moment of that day', (days) => {
    const start = Temporal.Instant.from(daysAgo(days, now, timeZone)).toZonedDateTimeISO(timeZone)
    expect(start.toPlainDate().toString()).toBe(today.subtract({ days }).toString())
    expect(start.subtract({ milliseconds: 1 }).toPlainDate().toString()).toBe(
      today.subtract({ days: days + 1 }).toString(),
    )
  })
})

test('the day before has 25 or 23 hours if clocks changed on it', () => {
  expect(daysAgo(1, new Date('2026-10-26T12:00:00Z'), 'Europe/Berlin')).toBe('2026-10-24T22:00:00.000Z')
  expect(daysAgo(1, new Date('2026-03-30T12:00:00Z'), 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
  expect(daysAgo(1, new Date('2026-09-07T12:00:00Z'), 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z')
})

test('several terms form one range', () => {
  const now = new Date('2026-11-21T10:00:00Z')
  expect(followUpRange(['overdue', 'today'], now, 'UTC')).toEqual({ from: null, to: '2026-11-21' })
  expect(followUpRange(['today', 'this_week'], now, 'UTC')).toEqual({ from: '2026-11-16', to: '2026-11-22' })
  expect(followUpRange(['next_week'], now, 'UTC')).toEqual({ from: '2026-11-23', to: '2026-11-29' })
  expect(followUpRange(['this_week', 'next_week'], now, 'UTC')).toEqual({ from: '2026-11-16', to: '2026-11-29' })
})
