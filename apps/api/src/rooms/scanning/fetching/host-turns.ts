import { setTimeout as delay } from 'node:timers/promises'
import { createSlots } from '../../../lib/slots.ts'
import { runningBounds } from '../bounds.ts'

/* Limits concurrent scans and the request rate per host. Both live in memory, because one process runs all scans of a store. */

type Slot = { tenantId: string; host: string }
const slots = createSlots<Slot>(({ tenantId, host }, running) => {
  const { ofAll, ofTenant, ofHost } = runningBounds
  const atHost = [...running].filter((slot) => slot.host === host).length
  return running.size < ofAll && runningOf(tenantId) < ofTenant && atHost < ofHost
})
/** Time of the last request per host, from the monotonic clock. */
const askedAt = new Map<string, number>()
const MAX_HOSTS = 10_000

/** Waits for a free slot and runs the scan in it. Errors: the reason of the signal. */
export const inSlot = slots.run

export function runningOf(tenantId: string): number {
  return slots.count((slot) => slot.tenantId === tenantId)
}

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
