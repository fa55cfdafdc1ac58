import { DNS_POLICY_VERSION } from '@prospect/adapter-contract/web-page'
import type { Cursors, Page } from '../../../http/pagination.ts'
import { MAX_COUNTED, MAX_WALKED, newestFirst } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import { countWanted } from '../../../store/engine/count-up-to.ts'
import type { Store } from '../../../store/store.ts'
import { getFamily } from '../../businesses/businesses.ts'
import { HIDDEN } from '../../contact-gate/contact-gate.ts'
import { ADDRESS_POLICY_VERSION, SCANNER_VERSION } from '../versions.ts'
import { findHidden } from './hidden-values.ts'
import { findScan, markedScans, type StoredScan, selectScans, type Versions } from './scans.queries.ts'
import type { ListScans, Scan } from './scans.schema.ts'

export const currentVersions: Versions = {
  scanner: SCANNER_VERSION,
  address: ADDRESS_POLICY_VERSION,
  dns: DNS_POLICY_VERSION,
}

/** Returns one scan as this reader may see it. `isHit`: the scan answers a later request from the cache. Errors: `not_found`. */
export async function getScan(store: Store, reader: UserActor, id: string, { isHit = false } = {}): Promise<Scan> {
  const scan = await findScan(store.reader, { tenantId: reader.tenantId, id })
  if (scan === undefined) throw notFound()
  const [shown] = await forReader(store, reader, [scan])
  if (shown === undefined) throw notFound()
  return isHit ? { ...shown, cacheStatus: 'hit' } : shown
}

/**
 * Returns a page of scans of the workspace, or of one prospect and the records merged into it, newest first. Errors: `invalid_request` (the cursor),
 * `not_found` (the business).
 */
export async function listScans(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  { businessId, origin, state, freshness, ...query }: ListScans,
): Promise<Page<Scan>> {
  const { tenantId } = reader
  const businessIds = businessId === undefined ? undefined : await getFamily(store.reader, tenantId, businessId)
  const now = store.clock().toISOString()
  const filter = { origin, state, freshness }
  const wanted = { tenantId, businessIds, ...filter, now, versions: currentVersions }
  // Without a business, a filter by a rare state or freshness can read every scan, so it runs in the background reader.
  const db = businessId === undefined ? store.backgroundOf(tenantId) : store.reader
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['scans', tenantId, JSON.stringify({ businessId, ...filter })],
    query,
    fetch: async (before, limit) => forReader(store, reader, await selectScans(db, { ...wanted, before, limit })),
    count: (background) =>
      countWanted(background, markedScans(background, wanted), { limit: MAX_COUNTED, maxWalked: MAX_WALKED }),
    toItem: (scan) => scan,
  })
}

async function forReader(store: Store, reader: UserActor, scans: readonly StoredScan[]): Promise<Scan[]> {
  const now = store.clock()
  const hidden = await findHidden(
    store,
    reader,
    scans.map((scan) => ({ id: scan.id, businessId: scan.businessId, texts: textsOf(scan) })),
  )
  return scans.map((scan) => shownScan(scan, now, hidden.has(scan.id)))
}

function textsOf({ url, pages }: StoredScan): string[] {
  const ofPages = pages.flatMap((page) => [page.url, page.facts?.title ?? null, ...page.hops.map((hop) => hop.url)])
  return [...new Set([url, ...ofPages])].filter((text) => text !== null)
}

function shownScan({ storedCacheStatus, ...scan }: StoredScan, now: Date, valuesHidden: boolean): Scan {
  const pages = valuesHidden ? scan.pages.map(withoutValues) : scan.pages
  return {
    ...scan,
    url: scan.url !== null && valuesHidden ? HIDDEN : scan.url,
    pages,
    freshness: freshnessOf(scan, now),
    cacheStatus: storedCacheStatus,
    ageSeconds:
      scan.observedAt === null ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(scan.observedAt)) / 1_000)),
    valuesHidden,
  }
}

function withoutValues(page: Scan['pages'][number]): Scan['pages'][number] {
  const { facts, hops } = page
  return {
    ...page,
    url: HIDDEN,
    hops: hops.map((hop) => ({ ...hop, url: HIDDEN, address: hop.address === null ? null : HIDDEN })),
    facts: facts === null ? null : { ...facts, title: facts.title === null ? null : HIDDEN },
  }
}

export function freshnessOf(
  scan: Pick<StoredScan, 'scannerVersion' | 'addressPolicyVersion' | 'dnsPolicyVersion' | 'expiresAt'>,
  now: Date,
): Scan['freshness'] {
  const { scanner, address, dns } = currentVersions
  const isOfOtherVersions =
    scan.scannerVersion !== scanner ||
    scan.addressPolicyVersion !== address ||
    (scan.dnsPolicyVersion !== null && scan.dnsPolicyVersion !== dns)
  if (isOfOtherVersions) return 'policy_changed'
  return scan.expiresAt !== null && scan.expiresAt > now.toISOString() ? 'fresh' : 'stale'
}
