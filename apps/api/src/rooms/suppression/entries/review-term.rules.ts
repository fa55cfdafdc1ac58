/** The review term of a tenant as of a day. An entry whose term began before `pastBefore` is due for review; the term lifts no block. */
export type Term = { months: number; pastBefore: string }

/** Computes the term in calendar months, in UTC. In a month without that day the term ends on the last day. */
export function termAt(months: number, at: string): Term {
  const today = dayOf(at)
  const back = today.subtract({ months })
  // Subtracting from a day that the earlier month lacks gives its last day, which is past already.
  const first = Temporal.PlainDate.compare(back.add({ months }), today) < 0 ? back.add({ days: 1 }) : back
  return { months, pastBefore: `${first.toString()}T00:00:00.000Z` }
}

/** Returns the end of an entry's term and whether it is past. `began` is null for an ended entry; `term` is null if the tenant has none. */
export function termStatus(
  began: string | null,
  term: Term | null,
): { termEndsOn: string | null; isPastTerm: boolean } {
  if (began === null || term === null) return { termEndsOn: null, isPastTerm: false }
  return { termEndsOn: dayOf(began).add({ months: term.months }).toString(), isPastTerm: began < term.pastBefore }
}

function dayOf(at: string): Temporal.PlainDate {
  return Temporal.Instant.from(at).toZonedDateTimeISO('UTC').toPlainDate()
}
