import { dayAt, startOfDay } from '../../lib/calendar.ts'
import { daysAfter } from '../../lib/clock.ts'
import type { Decision } from './review-decisions.table.ts'
import type { ReviewState } from './review-summary.schema.ts'

export type StateColumns = { state: ReviewState; is_due: 0 | 1; due_from: string | null }

/**
 * Returns the review state after a decision. If the tenant has a review term, a verified or rejected record becomes due again at the end of the term.
 */
export function stateAfter(
  decision: Decision,
  { at, until, timeZone, termDays }: { at: string; until: string | null; timeZone: string; termDays: number | null },
): StateColumns {
  switch (decision) {
    case 'verify':
      return { state: 'verified', is_due: 0, due_from: endOfTerm(at, termDays) }
    case 'reject':
      return { state: 'rejected', is_due: 0, due_from: endOfTerm(at, termDays) }
    case 'defer':
      return { state: 'deferred', is_due: 0, due_from: dayBegins(until, timeZone) }
    case 'reopen':
      return { state: 'unreviewed', is_due: 1, due_from: null }
  }
}

export function endOfTerm(decidedAt: string, termDays: number | null): string | null {
  return termDays === null ? null : daysAfter(decidedAt, termDays)
}

function dayBegins(until: string | null, timeZone: string): string | null {
  return until === null ? null : startOfDay(Temporal.PlainDate.from(until), timeZone)
}

/** Returns the number of days from today to the given day in the time zone. */
export function daysAhead(until: string, at: string, timeZone: string): number {
  return dayAt(at, timeZone).until(Temporal.PlainDate.from(until), { largestUnit: 'days' }).days
}
