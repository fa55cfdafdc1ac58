import { dayAt } from '../../../lib/calendar.ts'

/** The review term of a tenant as of a day. An entry whose term began before `pastBefore` is due for review. It stays in force. */
export type Term = { months: number; pastBefore: string }

/** Returns the term for a number of calendar months, in UTC. If the last month does not have that day, the term ends on its last day. */
export function termAt(months: number, at: string): Term {
  const today = dayOf(at)
  const back = today.subtract({ months })
  // If the earlier month does not have this day, the subtraction returns its last day. A term that began on that day has already ended.
  const first = Temporal.PlainDate.compare(back.add({ months }), today) < 0 ? back.add({ days: 1 }) : back
  return { months, pastBefore: `${first.toString()}T00:00:00.000Z` }
}

/**
 * Returns the day on which an entry's review term ends, and whether that day is past. `began`: null for an ended entry. `term`: null if the tenant
 * has no review term.
 */
export function termStatus(
  began: string | null,
  term: Term | null,
): { termEndsOn: string | null; isPastTerm: boolean } {
  if (began === null || term === null) return { termEndsOn: null, isPastTerm: false }
  return { termEndsOn: dayOf(began).add({ months: term.months }).toString(), isPastTerm: began < term.pastBefore }
}

function dayOf(at: string): Temporal.PlainDate {
  return dayAt(at, 'UTC')
}
