/** The only source of time. It is injected, so that a test can stop or move it. Times are formatted by `toISOString`: RFC 3339, UTC, milliseconds. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** Tolerance for clocks of different machines, and for corrections of one clock. */
export const CLOCKS_DIFFER_MS = 60_000

/** Returns the latest plausible start time. A later one means that the clock was set back since, so the age is unknown. */
export function latestBeginning(now: string): string {
  return new Date(Date.parse(now) + CLOCKS_DIFFER_MS).toISOString()
}

/** Tolerance for a time that a person enters, because clocks of people and machines differ. */
const FUTURE_TOLERANCE_MS = 5 * 60_000

/** True if an entered time (RFC 3339, like `now`) is further in the future than the tolerance. */
export function isInFuture(at: string, now: string): boolean {
  return Date.parse(at) > Date.parse(now) + FUTURE_TOLERANCE_MS
}
