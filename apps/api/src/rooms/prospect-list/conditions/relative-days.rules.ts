/** Relative days of filters. They are calendar days in the time zone of the workspace, so a day on which clocks change has 23 or 25 hours. */
import { dayAt, startOfDay } from '../../../lib/calendar.ts'
import type { FollowUpTerm } from './conditions.schema.ts'

export type DayRange = { from: string | null; to: string | null }

function todayIn(timeZone: string, now: Date): Temporal.PlainDate {
  return dayAt(now.toISOString(), timeZone)
}

/** Returns the start of the day that was `days` days before today. It is the same for all pages of a list that are read on one day. */
export function daysAgo(days: number, now: Date, timeZone: string): string {
  return startOfDay(todayIn(timeZone, now).subtract({ days }), timeZone)
}

/**
 * Returns the range of days that the terms cover now. A week is from Monday to Sunday in every locale. Several terms form one
 * range, because the terms are adjacent or overlap.
 */
export function followUpRange(terms: readonly FollowUpTerm[], now: Date, timeZone: string): DayRange {
  const today = todayIn(timeZone, now)
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const yesterday = today.subtract({ days: 1 })
  const ends = {
    overdue: { from: null, to: yesterday.toString() },
    today: { from: today.toString(), to: today.toString() },
    this_week: { from: monday.toString(), to: monday.add({ days: 6 }).toString() },
    next_week: { from: monday.add({ days: 7 }).toString(), to: monday.add({ days: 13 }).toString() },
  }
  const ranges = terms.map((term) => ends[term])
  const starts = ranges.map(({ from }) => from)
  return {
    from: starts.includes(null) ? null : (starts.toSorted()[0] ?? null),
    to:
      ranges
        .map(({ to }) => to)
        .toSorted()
        .at(-1) ?? null,
  }
}
