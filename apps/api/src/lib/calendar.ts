/** Returns the calendar day in a time zone. `at`: RFC 3339. */
export function dayAt(at: string, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.from(at).toZonedDateTimeISO(timeZone).toPlainDate()
}

/** Returns the time at which a calendar day begins in a time zone. If clocks skip midnight on that day, it is the first existing time of the day. */
export function startOfDay(day: Temporal.PlainDate, timeZone: string): string {
  return new Date(day.toZonedDateTime(timeZone).epochMilliseconds).toISOString()
}

/** Returns the time at which a calendar day ends in a time zone, which is the beginning of the next day. */
export function endOfDay(day: Temporal.PlainDate, timeZone: string): string {
  return startOfDay(day.add({ days: 1 }), timeZone)
}

/** Formats an instant in a sentence: 2026-11-28 14:05 UTC. A day alone would be another one in the time zone of some workspaces. */
export function utcMinute(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}

/** Returns the minute of an instant in a zone, in the form that spreadsheets of every country read as a time: 2026-11-28 17:21. */
export function localMinute(at: string, timeZone: string): string {
  return localTime(at, timeZone, 'minute')
}

/** Returns the second of an instant in a zone: 2026-11-28 17:21:05. */
export function localSecond(at: string, timeZone: string): string {
  return localTime(at, timeZone, 'second')
}

function localTime(at: string, timeZone: string, smallestUnit: 'minute' | 'second'): string {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone).toPlainDateTime()
  return local.toString({ smallestUnit }).replace('T', ' ')
}
