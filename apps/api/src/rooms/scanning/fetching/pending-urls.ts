import type { Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'

/*
 * Full URLs of requested scans. Stored URLs are masked, and the input of a job may contain no contact value, so the full URL is in memory only and is
 * lost with the process.
 */

const MAX_PENDING = 2_000
const pending = new WeakMap<Store['signals'], Map<string, string>>()

export function putPendingUrl({ signals }: Pick<Tx, 'signals'>, scanId: string, url: string): void {
  const urls = pending.get(signals) ?? new Map<string, string>()
  pending.set(signals, urls)
  urls.set(scanId, url)
  const [oldest] = urls.keys()
  if (urls.size > MAX_PENDING && oldest !== undefined) urls.delete(oldest)
}

export function takePendingUrl({ signals }: Pick<Store, 'signals'>, scanId: string): string | undefined {
  const urls = pending.get(signals)
  const url = urls?.get(scanId)
  urls?.delete(scanId)
  return url
}
