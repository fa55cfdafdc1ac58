import { invalidField } from '../../lib/app-error.ts'
import { endOfDay, startOfDay } from '../../lib/calendar.ts'
import { numeral } from '../../lib/numeral.ts'

/** Maximum length of a report's interval. */
export const MAX_INTERVAL_DAYS = 1_830

/** First and last calendar day of an interval in a time zone, both included. */
export type Days = { from: string; to: string; timeZone: string }
/** An interval as instants; the end is excluded. A day can have 23 or 25 hours, so the end is never computed from hours. */
export type Interval = { startsAt: string; endsAt: string }

/**
 * Returns the instants of an interval of calendar days. Errors: `invalid_request` at the wrong field, if the interval is reversed or too long, or if
 * the zone skipped a day.
 */
export function intervalOf({ from, to, timeZone }: Days): Interval {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const days = first.until(last, { largestUnit: 'days' }).days + 1
  if (days < 1) throw invalidField('to', 'reversed', 'The last day is before the first.')
  if (days > MAX_INTERVAL_DAYS) {
    throw invalidField(
      'to',
      'interval_too_long',
      `At most ${numeral(MAX_INTERVAL_DAYS)} days; these are ${numeral(days)}.`,
    )
  }
  const [startsAt, endsAt] = [startOfDay(first, timeZone), endOfDay(last, timeZone)]
  // The end is not after the start if the zone crossed the date line and skipped the day.
  if (endsAt <= startsAt) throw invalidField('to', 'no_such_day', 'This zone skipped this day.')
  return { startsAt, endsAt }
}

/** Throws if the time is in the future or before the start of the interval. A report shows the state at this time. */
export function requireAsOf(asOf: string, now: string, { startsAt }: Interval): void {
  if (asOf > now) throw invalidField('asOf', 'in_future', 'This time is in the future. Choose a time up to now.')
  if (asOf < startsAt) throw invalidField('asOf', 'before_interval', 'This time is before the interval begins.')
}
