import { setTimeout as delay } from 'node:timers/promises'
import { runningBounds } from '../bounds.ts'

/* Limits concurrent scans and the request rate per host. Both live in memory, because one process runs all scans of a store. */

type Slot = { tenantId: string; host: string }
const running = new Set<Slot>()
let waiting: (() => void)[] = []
/** Time of the last request per host, from the monotonic clock. */
const askedAt = new Map<string, number>()
const MAX_HOSTS = 10_000

/** Waits for a free slot and runs the scan in it. Errors: the reason of the signal. */
export async function inSlot<T>(slot: Slot, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  while (!isFree(slot)) await nextRelease(signal)
  signal.throwIfAborted()
  const taken = { ...slot }
  running.add(taken)
  try {
    return await work()
  } finally {
    running.delete(taken)
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
}

export function runningOf(tenantId: string): number {
  return [...running].filter((slot) => slot.tenantId === tenantId).length
}

function isFree({ tenantId, host }: Slot): boolean {
  const { ofAll, ofTenant, ofHost } = runningBounds
  const atHost = [...running].filter((slot) => slot.host === host).length
  return running.size < ofAll && runningOf(tenantId) < ofTenant && atHost < ofHost
}

function nextRelease(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(() => {
      signal.removeEventListener('abort', leave)
      resolve()
    })
  })
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
