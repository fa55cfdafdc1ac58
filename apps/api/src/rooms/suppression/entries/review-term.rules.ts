/** The term that a tenant set for its entries, as of a day: what began before `pastBefore` is past it. It lifts nothing. */
export type Term = { months: number; pastBefore: string }

/** In calendar months and UTC; a month without the day ends the term on its last one. */
export function termAt(months: number, at: string): Term {
  const today = dayOf(at)
  const back = today.subtract({ months })
  // Back from a day that the earlier month lacks, the last day of that month is over already.
  const first = Temporal.PlainDate.compare(back.add({ months }), today) < 0 ? back.add({ days: 1 }) : back
  return { months, pastBefore: `${first.toString()}T00:00:00.000Z` }
}

/** What an entry says of its term: `began` is null for one that has ended, `term` where the tenant set none. */
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
