import { invalidField } from '../../lib/app-error.ts'
import { startOfDay } from '../../lib/calendar.ts'

/** The longest interval of a report. */
export const MAX_INTERVAL_DAYS = 1_830

/** Calendar days, both included, in a zone. */
export type Days = { from: string; to: string; timeZone: string }
/** The same as instants, the end excluded. A day may have 23 or 25 hours, so its end is never counted in hours. */
export type Interval = { startsAt: string; endsAt: string }

/** Errors: `invalid_request`, beside its field, for an interval that is reversed, too long, or of a day that the zone left out. */
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
  // Where a zone changed sides of the date line a day is missing.
  if (endsAt <= startsAt) throw invalidField('to', 'no_such_day', 'This zone had no such day.')
  return { startsAt, endsAt }
}

/** A report tells what was so at `asOf`: never a time to come, never one before its interval began. */
export function requireAsOf(asOf: string, now: string, { startsAt }: Interval): void {
  if (asOf > now)
    throw invalidField('asOf', 'in_future', 'This time is in the future: nobody knows yet what will be so then.')
  if (asOf < startsAt) throw invalidField('asOf', 'before_interval', 'This time is before the interval begins.')
}
