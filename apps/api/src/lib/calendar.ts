/** Returns the time at which a calendar day begins in a time zone. If clocks skip midnight on that day, it is the first existing time of the day. */
export function startOfDay(day: Temporal.PlainDate, timeZone: string): string {
  return new Date(day.toZonedDateTime(timeZone).epochMilliseconds).toISOString()
}
