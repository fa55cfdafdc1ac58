/**
 * The only source of time. It is injected, so that a test can stop or move the time. Times are formatted by `toISOString`: RFC 3339, UTC,
 * milliseconds.
 */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

export const DAY_MS = 86_400_000

/** Returns the time a number of days of 24 hours after another time, or before it if the number is negative. */
export function daysAfter(at: string | number | Date, days: number): string {
  return new Date(new Date(at).getTime() + days * DAY_MS).toISOString()
}

/** Maximum difference between the clocks of different machines, and maximum correction of one clock, that is tolerated. */
export const CLOCKS_DIFFER_MS = 60_000

/** Returns the latest time that a start can have. A later start means that the clock was set back since, so the age is unknown. */
export function latestBeginning(now: string): string {
  return new Date(Date.parse(now) + CLOCKS_DIFFER_MS).toISOString()
}

/** Tolerance for a time that a person enters, because the person's clock may be ahead of the machine's. */
const FUTURE_TOLERANCE_MS = 5 * 60_000

/** True if a time that a person entered is further in the future than the tolerance. Both times are RFC 3339. */
export function isInFuture(at: string, now: string): boolean {
  return Date.parse(at) > Date.parse(now) + FUTURE_TOLERANCE_MS
}
