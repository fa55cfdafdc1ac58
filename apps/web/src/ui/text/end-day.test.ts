import { describe, expect, test } from 'vitest'
import { PAST_DAY } from './day-words.ts'
import { endDayProblem, endInstant, latestEndDay, usualEndDay } from './end-day.ts'
import { formatDate, formatDay } from './format.ts'

const zones = ['America/Los_Angeles', 'Africa/Johannesburg', 'Pacific/Kiritimati', 'UTC'] as const
/** 2026-11-28 in all zones but Kiritimati, where it is the 29th. */
const now = new Date('2026-11-28T15:30:00Z')
const todayIn = { 'Pacific/Kiritimati': '2026-11-29' } as Record<string, string>

describe.each(zones)('the last day in %s', (zone) => {
  const today = todayIn[zone] ?? '2026-11-28'

  test('is shown as it was typed, and is included', () => {
    const end = endInstant('2027-06-01', zone)
    expect(formatDate(end, zone)).toBe(formatDay('2027-06-01'))
    const nextMoment = new Date(new Date(end).getTime() + 1).toISOString()
    expect(formatDate(nextMoment, zone)).toBe(formatDay('2027-06-02'))
  })

  test('may be today', () => {
    expect(endDayProblem(today, { usualDays: 1 }, now, zone)).toBeNull()
    expect(endInstant(today, zone) > now.toISOString()).toBe(true)
    const problem = endDayProblem('2026-11-27', { usualDays: 1 }, now, zone)
    expect(problem).toBe(PAST_DAY)
  })

  test('ends within the limit of the API, and the next day does not', () => {
    const limit = new Date(now.getTime() + 90 * 86_400_000).toISOString()
    const latest = latestEndDay(90, now, zone)
    expect(endInstant(latest, zone) <= limit).toBe(true)
    const next = usualEndDay({ usualDays: 1 }, new Date(endInstant(latest, zone)), zone)
    expect(endInstant(next, zone) > limit).toBe(true)
    expect(endDayProblem(latest, { usualDays: 60, maxDays: 90 }, now, zone)).toBeNull()
    expect(endDayProblem(next, { usualDays: 60, maxDays: 90 }, now, zone)).toMatch(
      /^Choose a day up to \d+ Feb 2027\.$/,
    )
  })

  test('that a form proposes can be sent', () => {
    for (const usualDays of [60, 90, 91]) {
      const usual = usualEndDay({ usualDays, maxDays: 90 }, now, zone)
      expect(endDayProblem(usual, { usualDays, maxDays: 90 }, now, zone)).toBeNull()
    }
  })
})

test('text that is not a day is refused with an example', () => {
  expect(endDayProblem('soon', { usualDays: 1 }, now, 'UTC')).toBe(
    'Enter a date, such as 21/11/2026, 21 Nov, tomorrow or friday.',
  )
  expect(endDayProblem('2027-02-30', { usualDays: 1 }, now, 'UTC')).toBe('This date does not exist.')
})
