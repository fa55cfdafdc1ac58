import { describe, expect, test } from 'vitest'
import { dayIn } from './format.ts'
import { daysBefore, instantIn, localTime, nextDay, startOfDay } from './zone-time.ts'

test('converts a local time to an instant, in summer and in winter', () => {
  expect(instantIn('2026-11-02T10:00', 'Africa/Johannesburg')).toBe('2026-11-02T08:00:00.000Z')
  expect(instantIn('2026-07-02T10:00', 'Europe/Berlin')).toBe('2026-07-02T08:00:00.000Z')
  expect(instantIn('2026-12-02T10:00', 'Europe/Berlin')).toBe('2026-12-02T09:00:00.000Z')
})

test('shows an instant as the time on the clocks of a zone', () => {
  expect(localTime('2026-11-02T08:00:59.000Z', 'Africa/Johannesburg')).toBe('2026-11-02 10:00')
  expect(localTime('2026-11-01T22:30:00.000Z', 'Africa/Johannesburg')).toBe('2026-11-02 00:30')
  expect(localTime('2026-07-02T08:00:00.000Z', 'America/New_York')).toBe('2026-07-02 04:00')
})

test('times on both sides of a clock change have their own offset', () => {
  expect(instantIn('2026-03-29T01:30', 'Europe/Berlin')).toBe('2026-03-29T00:30:00.000Z')
  expect(instantIn('2026-03-29T03:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z')
})

test.each([
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
  ['Atlantic/Azores', '2026-03-29T00:30', '2026-03-29T01:30:00.000Z'],
])('in %s the skipped time %s moves forward', (zone, local, instant) => {
  expect(instantIn(local, zone)).toBe(instant)
})

describe('a calendar day', () => {
  test('begins at midnight of the zone', () => {
    expect(startOfDay('2026-11-21', 'Africa/Johannesburg')).toBe('2026-11-20T22:00:00.000Z')
    expect(startOfDay('2026-11-21', 'UTC')).toBe('2026-11-21T00:00:00.000Z')
    expect(startOfDay('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
    expect(startOfDay('2026-03-30', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z')
  })

  test.each([
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ])('in %s the day %s has no midnight and starts after the clock change', (zone, day, instant) => {
    expect(startOfDay(day, zone)).toBe(instant)
  })

  test.each([
    ['Africa/Johannesburg', '2026-11-21T21:59:59.999Z', '2026-11-21'],
    ['Africa/Johannesburg', '2026-11-21T22:00:00.000Z', '2026-11-22'],
    ['Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T22:59:59.999Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T23:00:00.000Z', '2026-10-26'],
    ['Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00.000Z', '2026-03-30'],
    ['America/Santiago', '2026-09-06T03:59:59.999Z', '2026-09-05'],
    ['America/Santiago', '2026-09-06T04:00:00.000Z', '2026-09-06'],
  ])(
    'in %s at %s, today is %s; yesterday ends and the last 7 days begin at a midnight of the zone',
    (zone, at, today) => {
      expect(dayIn(at, zone)).toBe(today)
      expect(startOfDay(today, zone) <= at && at < startOfDay(nextDay(today), zone)).toBe(true)
      for (const days of [1, 6]) {
        const first = startOfDay(daysBefore(today, days), zone)
        const lastOfDayBefore = new Date(Date.parse(first) - 1).toISOString()
        expect([dayIn(first, zone), dayIn(lastOfDayBefore, zone)]).toEqual([
          daysBefore(today, days),
          daysBefore(today, days + 1),
        ])
      }
    },
  )

  test('the next one crosses months and years', () => {
    expect(nextDay('2026-12-31')).toBe('2027-01-01')
    expect(nextDay('2028-02-28')).toBe('2028-02-29')
  })
})
