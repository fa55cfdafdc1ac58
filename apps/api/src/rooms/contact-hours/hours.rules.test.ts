import { assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { type Calendar, calendars } from './calendars.data.ts'
import { contactHoursAt } from './hours.rules.ts'

const southAfrica = calendars.get('ZA')
const askedAt = (local: string, channel: 'phone' | 'letter' = 'phone') =>
  contactHoursAt(southAfrica, { country: 'ZA', channel, at: `${local}+02:00` })

test.each([
  ['2026-11-30T07:59:59', 'not_now', 'before 08:00', '2026-11-30T06:00:00.000Z'],
  ['2026-11-30T08:00:00', 'allowed', 'Monday to Friday, 08:00 to 20:00', null],
  ['2026-11-30T19:59:59', 'allowed', 'Monday to Friday, 08:00 to 20:00', null],
  ['2026-11-30T20:00:00', 'not_now', 'after 20:00', '2026-12-01T06:00:00.000Z'],
  ['2026-12-05T08:59:00', 'not_now', 'Saturday before 09:00', '2026-12-05T07:00:00.000Z'],
  ['2026-12-05T12:59:00', 'allowed', 'Saturday, 09:00 to 13:00', null],
  ['2026-12-05T13:00:00', 'not_now', 'Saturday after 13:00', '2026-12-07T06:00:00.000Z'],
  ['2026-12-06T10:00:00', 'not_now', 'Sunday', '2026-12-07T06:00:00.000Z'],
  ['2026-12-16T10:00:00', 'not_now', 'Day of Reconciliation', '2026-12-17T06:00:00.000Z'],
  // A Friday, a Saturday and a Sunday without hours.
  ['2026-12-25T10:00:00', 'not_now', 'Christmas Day', '2026-12-28T06:00:00.000Z'],
  ['2026-08-09T10:00:00', 'not_now', 'Sunday', '2026-08-11T06:00:00.000Z'],
  ['2026-08-10T10:00:00', 'not_now', "National Women's Day (observed)", '2026-08-11T06:00:00.000Z'],
  ['2027-03-27T10:00:00', 'allowed', 'Saturday, 09:00 to 13:00', null],
  ['2025-12-31T10:00:00', 'unknown', 'the calendar for ZA begins in 2026', null],
  ['2036-01-02T10:00:00', 'unknown', 'the calendar for ZA ends in 2035', null],
  ['2035-12-31T21:00:00', 'not_now', 'after 20:00', null],
])('at %s in South Africa calls are %s: %s', (local, status, reason, nextAt) => {
  expect(askedAt(local)).toEqual({ status, reason, nextAt, calendarVersion: 'za-1' })
})

test('a country without a calendar and a channel without hours are unknown', () => {
  expect(contactHoursAt(undefined, { country: 'NA', channel: 'phone', at: '2026-11-30T10:00:00Z' })).toEqual({
    status: 'unknown',
    reason: 'no calendar for NA',
    nextAt: null,
    calendarVersion: null,
  })
  expect(askedAt('2026-11-30T10:00:00', 'letter')).toMatchObject({
    status: 'unknown',
    reason: 'the calendar for ZA has no hours for letters',
  })
})

/** A country whose clocks change, with hours around the change in the night. */
const nightly: Calendar = {
  country: 'DE',
  version: 'test',
  timeZone: 'Europe/Berlin',
  callingCode: '49',
  channels: ['phone'],
  years: { first: 2026, last: 2026 },
  hours: { weekday: { from: '08:00', until: '20:00' }, saturday: null, sunday: { from: '02:30', until: '04:00' } },
  holidaysOf: () => new Map(),
}

test.each([
  // Clocks change from 02:00 to 03:00: 02:30 does not exist, and the hours begin at 03:30.
  ['2026-03-29T01:29:00Z', 'not_now', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T01:30:00Z', 'allowed', null],
  ['2026-03-29T02:00:00Z', 'not_now', '2026-03-30T06:00:00.000Z'],
  // Clocks change from 03:00 to 02:00: the hours begin with the first 02:30.
  ['2026-10-25T00:29:00Z', 'not_now', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T01:10:00Z', 'allowed', null],
  ['2026-10-24T10:00:00Z', 'not_now', '2026-10-25T00:30:00.000Z'],
])('on days on which clocks change, %s is %s', (at, status, nextAt) => {
  expect(contactHoursAt(nightly, { country: 'DE', channel: 'phone', at })).toMatchObject({ status, nextAt })
})

test('the next time is allowed, and no time between is', () => {
  const minutes = { '2026': 365 * 24 * 60, '2034': 10 * 365 * 24 * 60 }
  assert(
    property(
      constantFrom({ calendar: southAfrica, span: minutes['2034'] }, { calendar: nightly, span: minutes['2026'] }),
      integer({ min: 0, max: 1_000_000_000 }),
      integer({ min: 0, max: 999 }),
      ({ calendar, span }, picked, between) => {
        const start = Date.parse('2026-01-01T00:00:00Z')
        const at = start + (picked % (span - 7 * 24 * 60)) * 60_000
        const statusAt = (time: number) =>
          contactHoursAt(calendar, { country: 'XX', channel: 'phone', at: new Date(time).toISOString() })
        const { status, nextAt } = statusAt(at)
        if (status !== 'not_now') return
        const next = Date.parse(nextAt ?? '')
        expect(next).toBeGreaterThan(at)
        expect(statusAt(next).status).toBe('allowed')
        expect(statusAt(next - 1).status).toBe('not_now')
        expect(statusAt(at + Math.floor(((next - 1 - at) * between) / 999)).status).toBe('not_now')
      },
    ),
    { numRuns: 500 },
  )
})
