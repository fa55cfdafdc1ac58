import { invalidField } from '../../lib/app-error.ts'
import { startOfDay } from '../../lib/calendar.ts'

/** Longest interval of a report. */
export const MAX_INTERVAL_DAYS = 1_830

/** Calendar days in a zone, both included. */
export type Days = { from: string; to: string; timeZone: string }
/** The interval as instants, with the end excluded. A day can have 23 or 25 hours, so its end is never computed from hours. */
export type Interval = { startsAt: string; endsAt: string }

/** Errors: `invalid_request` at the field of an interval that is reversed or too long, or of a day that the zone skipped. */
export function intervalOf({ from, to, timeZone }: Days): Interval {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const days = first.until(last, { largestUnit: 'days' }).days + 1
  if (days < 1) throw invalidField('to', 'reversed', 'The last day is before the first.')
  if (days > MAX_INTERVAL_DAYS) {
    throw invalidField(
      'to',
      'interval_too_long',
      `At most ${MAX_INTERVAL_DAYS.toLocaleString('en')} days; these are ${days.toLocaleString('en')}.`,
    )
  }
  const [startsAt, endsAt] = [startOfDay(first, timeZone), startOfDay(last.add({ days: 1 }), timeZone)]
  // A zone that crossed the date line skipped a day.
  if (endsAt <= startsAt) throw invalidField('to', 'no_such_day', 'This zone skipped this day.')
  return { startsAt, endsAt }
}

/** Requires a time that is neither in the future nor before the interval begins. A report shows the state at this time. */
export function requireAsOf(asOf: string, now: string, { startsAt }: Interval): void {
  if (asOf > now) throw invalidField('asOf', 'in_future', 'This time is in the future. Choose a time up to now.')
  if (asOf < startsAt) throw invalidField('asOf', 'before_interval', 'This time is before the interval begins.')
}
