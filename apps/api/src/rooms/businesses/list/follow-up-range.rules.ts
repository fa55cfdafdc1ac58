import type { DayRange } from './business-filter.ts'
import type { FollowUpTerm } from './conditions.schema.ts'

/**
 * Returns the range of days that the terms cover now in a time zone. The week is the current one, from Monday to Sunday. Several terms form one
 * range, because the terms are adjacent or overlap.
 */
export function followUpRange(terms: readonly FollowUpTerm[], now: Date, timeZone: string): DayRange {
  const today = Temporal.Instant.from(now.toISOString()).toZonedDateTimeISO(timeZone).toPlainDate()
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const yesterday = today.subtract({ days: 1 })
  const ends = {
    overdue: { from: null, to: yesterday.toString() },
    today: { from: today.toString(), to: today.toString() },
    this_week: { from: monday.toString(), to: monday.add({ days: 6 }).toString() },
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
