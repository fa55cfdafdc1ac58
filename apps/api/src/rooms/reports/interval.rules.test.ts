import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../../lib/app-error.ts'
import { intervalOf, MAX_INTERVAL_DAYS, requireAsOf } from './interval.rules.ts'

const hoursOf = (from: string, to: string, timeZone: string) => {
  const { startsAt, endsAt } = intervalOf({ from, to, timeZone })
  return (Date.parse(endsAt) - Date.parse(startsAt)) / 3_600_000
}

function refusal(work: () => unknown): [string | undefined, string | undefined] {
  try {
    work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [first] = error.details.errors ?? []
    return [first?.path, first?.code]
  }
  return [undefined, undefined]
}

test('a day of Johannesburg begins at 22:00 UTC the day before, all year', () => {
  for (const day of ['2026-01-15', '2026-07-15']) {
    const { startsAt, endsAt } = intervalOf({ from: day, to: day, timeZone: 'Africa/Johannesburg' })
    expect([startsAt.slice(11), endsAt.slice(11)]).toEqual(['22:00:00.000Z', '22:00:00.000Z'])
    expect(Date.parse(endsAt) - Date.parse(startsAt)).toBe(86_400_000)
  }
})

test('days with a clock change are 23 and 25 hours long, and a day without midnight begins when it exists', () => {
  expect(hoursOf('2026-03-29', '2026-03-29', 'Europe/London')).toBe(23)
  expect(hoursOf('2026-10-25', '2026-10-25', 'Europe/London')).toBe(25)
  expect(hoursOf('2026-03-01', '2026-03-31', 'Europe/London')).toBe(31 * 24 - 1)
  // On this day the clocks in Cairo are advanced from 00:00 to 01:00.
  expect(hoursOf('2026-04-24', '2026-04-24', 'Africa/Cairo')).toBe(23)
})

test('a day that a zone skipped is refused, and is no part of a longer interval', () => {
  // Samoa skipped 30 December 2011.
  const zone = 'Pacific/Apia'
  const left = refusal(() => intervalOf({ from: '2011-12-30', to: '2011-12-30', timeZone: zone }))
  expect(left).toEqual(['to', 'no_such_day'])
  expect(hoursOf('2011-12-29', '2011-12-31', zone)).toBe(48)
})

test('a reversed or too long interval is refused at its field', () => {
  const zone = 'Africa/Johannesburg'
  expect(refusal(() => intervalOf({ from: '2026-02-02', to: '2026-02-01', timeZone: zone }))).toEqual([
    'to',
    'reversed',
  ])
  const first = Temporal.PlainDate.from('2020-01-01')
  const last = (days: number) => first.add({ days: days - 1 }).toString()
  expect(hoursOf('2020-01-01', last(MAX_INTERVAL_DAYS), zone)).toBe(MAX_INTERVAL_DAYS * 24)
  expect(refusal(() => intervalOf({ from: '2020-01-01', to: last(MAX_INTERVAL_DAYS + 1), timeZone: zone }))).toEqual([
    'to',
    'interval_too_long',
  ])
})

test('a time in the future, or before the interval, is refused', () => {
  const interval = intervalOf({ from: '2026-02-01', to: '2026-02-28', timeZone: 'UTC' })
  const now = '2026-11-21T08:00:00.000Z'
  expect(refusal(() => requireAsOf('2026-11-21T08:00:00.001Z', now, interval))).toEqual(['asOf', 'in_future'])
  expect(refusal(() => requireAsOf('2026-01-31T23:59:59.999Z', now, interval))).toEqual(['asOf', 'before_interval'])
  expect(refusal(() => requireAsOf(now, now, interval))).toEqual([undefined, undefined])
})

test('adjacent intervals of any zone meet without a gap or an overlap', () => {
  const zones = fc.constantFrom(
    'Africa/Johannesburg',
    'Europe/London',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Cairo',
  )
  fc.assert(
    fc.property(
      zones,
      fc.integer({ min: 0, max: 3_000 }),
      fc.integer({ min: 1, max: 60 }),
      (timeZone, offset, length) => {
        const first = Temporal.PlainDate.from('2020-01-01').add({ days: offset })
        const days = (from: Temporal.PlainDate, count: number) => ({
          from: from.toString(),
          to: from.add({ days: count - 1 }).toString(),
          timeZone,
        })
        const { endsAt } = intervalOf(days(first, length))
        expect(intervalOf(days(first.add({ days: length }), 1)).startsAt).toBe(endsAt)
      },
    ),
  )
})
