/** Less than this is the whole seconds of the header and the way of an answer, or a clock that is as good as right. */
const TOLERATED_MS = 5_000

let aheadMs = 0

/** Told the Date of every answer, and how long it took: of one that was long on its way nobody knows when it was written. */
export function noteServerDate(date: string | null, tookMs: number): void {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at) || tookMs > TOLERATED_MS) return
  const ahead = Date.now() - at
  aheadMs = Math.abs(ahead) < TOLERATED_MS ? 0 : ahead
}

/** Now, by the server's clock: what it wrote down is as old as it is, however wrong the clock of this computer goes. */
export const serverNow = (): Date => new Date(Date.now() - aheadMs)
