import { setTimeout as delay } from 'node:timers/promises'
import { createTenantTurns } from '../../../lib/tenant-turns.ts'
import { runningBounds } from '../bounds.ts'

/*
 * Limits concurrent scans and the request rate per host. Both are in memory, so they apply to one process. Several processes on one store would multiply
 * the rate (docs/scanning.md).
 */

type RunningScan = { tenantId: string; host: string }
const turns = createTenantTurns<RunningScan>({
  isFree: ({ tenantId, host }, running) => {
    const { ofAll, ofTenant, ofHost } = runningBounds
    const scans = [...running]
    const atHost = scans.filter((scan) => scan.host === host).length
    const ofSame = scans.filter((scan) => scan.tenantId === tenantId).length
    return scans.length < ofAll && ofSame < ofTenant && atHost < ofHost
  },
})
/** Time of the last request per host, from the monotonic clock. */
const askedAt = new Map<string, number>()
const MAX_HOSTS = 10_000

/** Runs the scan in the tenant's turn, when fewer scans than the limits are running. Errors: the reason of the signal. */
export function scanInTurn<T>(scan: RunningScan, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return turns.run(scan, work, { signal })
}

/** the number of scans of a tenant that are running */
export const runningOf = turns.runningOf

/** Waits until the next request to the host is allowed and reserves it. Errors: the reason of the signal. */
export async function waitForHost(host: string, intervalMs: number, signal: AbortSignal): Promise<void> {
  const now = performance.now()
  const next = Math.max(now, (askedAt.get(host) ?? -Infinity) + intervalMs)
  askedAt.delete(host)
  askedAt.set(host, next)
  const [oldest] = askedAt.keys()
  if (askedAt.size > MAX_HOSTS && oldest !== undefined) askedAt.delete(oldest)
  if (next > now) await delay(next - now, undefined, { signal })
}
