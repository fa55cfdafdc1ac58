/** The one source of time. Injected everywhere, so that a test can stand still or jump. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** RFC 3339, UTC, milliseconds: the only way a time is written in this product. */
export function timestamp(clock: Clock): string {
  return clock().toISOString()
}
