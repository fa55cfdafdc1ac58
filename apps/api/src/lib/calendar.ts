/** The moment at which a calendar day begins in a zone. Where clocks go forward at midnight it begins when it first exists. */
export function startOfDay(day: Temporal.PlainDate, timeZone: string): string {
  return new Date(day.toZonedDateTime(timeZone).epochMilliseconds).toISOString()
}
