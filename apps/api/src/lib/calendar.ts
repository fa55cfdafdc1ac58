/** The moment at which a calendar day begins in a time zone. Where clocks skip midnight, the day begins at its first existing moment. */
export function startOfDay(day: Temporal.PlainDate, timeZone: string): string {
  return new Date(day.toZonedDateTime(timeZone).epochMilliseconds).toISOString()
}
