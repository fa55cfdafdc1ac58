/** Differences below this are ignored: the header has whole seconds, and the response takes time to arrive. */
const TOLERATED_MS = 5_000

let aheadMs = 0

/** Records the `Date` header of each response. Responses that took long are ignored, as their `Date` may be old. */
export function noteServerDate(date: string | null, tookMs: number): void {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at) || tookMs > TOLERATED_MS) return
  const ahead = Date.now() - at
  aheadMs = Math.abs(ahead) < TOLERATED_MS ? 0 : ahead
}

/** Current time by the server's clock, so that the age of records is right even if this computer's clock is wrong. */
export const serverNow = (): Date => new Date(Date.now() - aheadMs)
