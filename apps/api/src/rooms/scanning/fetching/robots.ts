import type { Store } from '../../../store/store.ts'
import { runningBounds } from '../bounds.ts'

/** A site's robots.txt. `text` is null if no URL may be requested. */
export type Robots = { text: string | null }

type Entry = { robots: Robots; until: number }
/** Cached by tenant and origin for a day; lost with the process. */
const caches = new WeakMap<Store['signals'], Map<string, Entry>>()
const HOUR_MS = 3_600_000

export function findRobots({ signals, clock }: Store, tenantId: string, origin: string): Robots | undefined {
  const entry = caches.get(signals)?.get(`${tenantId} ${origin}`)
  return entry !== undefined && entry.until > clock().getTime() ? entry.robots : undefined
}

export function putRobots({ signals, clock }: Store, tenantId: string, origin: string, robots: Robots): void {
  const cache = caches.get(signals) ?? new Map<string, Entry>()
  caches.set(signals, cache)
  const key = `${tenantId} ${origin}`
  cache.delete(key)
  cache.set(key, { robots, until: clock().getTime() + runningBounds.robotsHours * HOUR_MS })
  const [oldest] = cache.keys()
  if (cache.size > runningBounds.robotsEntries && oldest !== undefined) cache.delete(oldest)
}
