import { DNS_POLICY_VERSION } from '@prospect/adapter-contract/web-page'
import type { Cursors, Page } from '../../../http/pagination.ts'
import { MAX_COUNTED, MAX_WALKED, newestFirst } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import { countWanted } from '../../../store/engine/count-up-to.ts'
import type { Store } from '../../../store/store.ts'
import { getFamily } from '../../businesses/businesses.ts'
import { ADDRESS_POLICY_VERSION, SCANNER_VERSION } from '../versions.ts'
import { findScan, markedScans, type StoredScan, selectScans, type Versions } from './scans.queries.ts'
import type { ListScans, Scan } from './scans.schema.ts'

export const currentVersions: Versions = {
  scanner: SCANNER_VERSION,
  address: ADDRESS_POLICY_VERSION,
  dns: DNS_POLICY_VERSION,
}

/** Returns one scan. `isHit`: the scan answers a later request from the cache. Errors: `not_found`. */
export async function getScan(store: Store, reader: UserActor, id: string, { isHit = false } = {}): Promise<Scan> {
  const scan = await findScan(store.reader, { tenantId: reader.tenantId, id })
  if (scan === undefined) throw notFound()
  const shown = toScan(scan, store.clock())
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
  const time = store.clock()
  const now = time.toISOString()
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
    fetch: (before, limit) => selectScans(db, { ...wanted, before, limit }),
    count: (background) =>
      countWanted(background, markedScans(background, wanted), { limit: MAX_COUNTED, maxWalked: MAX_WALKED }),
    toItem: (scan) => toScan(scan, time),
  })
}

function toScan({ storedCacheStatus, ...scan }: StoredScan, now: Date): Scan {
  return {
    ...scan,
    freshness: freshnessOf(scan, now),
    cacheStatus: storedCacheStatus,
    ageSeconds:
      scan.observedAt === null ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(scan.observedAt)) / 1_000)),
    valuesHidden: false,
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
