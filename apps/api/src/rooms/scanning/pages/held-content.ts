import type { Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { heldBounds } from '../bounds.ts'
import type { PageRole } from '../scanning.table.ts'

const RELEASE_EVERY_MS = 30_000

/** A page as the contacts room reads it. `url` is not masked: the URL and the body must not be stored, logged or returned. */
export type HeldPage = {
  position: number
  url: string
  role: PageRole
  format: 'html' | 'text'
  contentType: string | null
  body: Uint8Array
  /** the body is only the beginning of the page */
  isCut: boolean
  observedAt: string
  /** beginning of the visible text, with masked contact values */
  opening: string | null
}

type HeldScan = { tenantId: string; scanId: string; pages: HeldPage[]; bytes: number; releasedAt: number }

/** Keyed by the signals object, which a store and its transactions share. */
const held = new WeakMap<Store['signals'], HeldContent>()

/** Returns the page content that this process holds for the store. */
export function heldContentOf(store: Store): HeldContent {
  const known = held.get(store.signals)
  if (known !== undefined) return known
  const made = createHeldContent(() => store.clock().getTime())
  held.set(store.signals, made)
  return made
}

/** Releases expired content of this process at an interval, because content that nobody reads again would stay in memory. */
export function startReleasingContent(store: Store): { stop(): void } {
  const timer = setInterval(() => heldContentOf(store).releaseExpired(), RELEASE_EVERY_MS).unref()
  return { stop: () => clearInterval(timer) }
}

/** Releases the content of the scans after the change is committed. */
export function releaseWithChange(tx: Tx, scanIds: readonly string[]): void {
  tx.afterCommit(() => held.get(tx.signals)?.releaseScans(scanIds))
}

export type HeldContent = ReturnType<typeof createHeldContent>

/** Cache of page content in memory. Entries expire after `heldBounds.minutes`; above `maxBytes`, the oldest scans are evicted first. */
export function createHeldContent(now: () => number, maxBytes: number = heldBounds.bytes) {
  /** in insertion order */
  const scans = new Map<string, HeldScan>()
  let bytes = 0
  const release = (scan: HeldScan) => {
    if (scans.delete(scan.scanId)) bytes -= scan.bytes
  }
  const releaseExpired = () => {
    for (const scan of scans.values()) if (scan.releasedAt <= now()) release(scan)
  }
  return {
    hold(tenantId: string, scanId: string, pages: HeldPage[]): void {
      releaseExpired()
      const size = pages.reduce((sum, { body }) => sum + body.byteLength, 0)
      if (size > maxBytes) return
      scans.set(scanId, { tenantId, scanId, pages, bytes: size, releasedAt: now() + heldBounds.minutes * 60_000 })
      bytes += size
      for (const oldest of scans.values()) {
        if (bytes <= maxBytes) break
        release(oldest)
      }
    },
    /** Returns no pages after the content was released. */
    pagesOf(tenantId: string, scanId: string): readonly HeldPage[] {
      releaseExpired()
      const scan = scans.get(scanId)
      return scan?.tenantId === tenantId ? scan.pages : []
    },
    releaseScans(scanIds: readonly string[]): void {
      for (const id of scanIds) {
        const scan = scans.get(id)
        if (scan !== undefined) release(scan)
      }
    },
    releaseExpired,
    bytes: () => bytes,
  }
}
