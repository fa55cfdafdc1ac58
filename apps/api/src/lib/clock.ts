/**
 * The one source of time. Injected everywhere, so that a test can stand still or jump. A time is written as `toISOString` gives it:
 * RFC 3339, UTC, milliseconds.
 */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** Clocks of machines differ, and one that is put right moves, by no more. */
export const CLOCKS_DIFFER_MS = 60_000

/** What says that it began later than this began before the clock was set back: nobody knows how long ago. */
export function latestBeginning(now: string): string {
  return new Date(Date.parse(now) + CLOCKS_DIFFER_MS).toISOString()
}

/** Clocks of people and machines differ a little; a time that somebody gives may be this far ahead. */
const FUTURE_TOLERANCE_MS = 5 * 60_000

/** Whether a time that somebody gives, RFC 3339 like `now`, is further ahead than clocks differ: nothing can have happened then. */
export function isInFuture(at: string, now: string): boolean {
  return Date.parse(at) > Date.parse(now) + FUTURE_TOLERANCE_MS
}
