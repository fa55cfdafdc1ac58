import { DNS_POLICY_VERSION } from '@prospect/adapter-contract/web-page'
import type { Cursors, Page } from '../../../http/pagination.ts'
import { MAX_COUNTED, MAX_WALKED, newestFirst } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import type { Db } from '../../../store/database.ts'
import { countWanted } from '../../../store/engine/count-up-to.ts'
import type { Store } from '../../../store/store.ts'
import { getFamily } from '../../businesses/businesses.ts'
import { heldContentOf } from '../pages/held-content.ts'
import { findCurrentPolicy } from '../policies/policies.queries.ts'
import type { ScanReason } from '../reasons.ts'
import { ADDRESS_POLICY_VERSION, SCANNER_VERSION } from '../versions.ts'
import { findScan, markedScans, type StoredScan, selectScans, type Versions } from './scans.queries.ts'
import type { ListScans, Scan } from './scans.schema.ts'

/** Returns the versions of the rules that apply now: those of the program, and the scan policy of the workspace. */
export async function currentVersions(db: Db, tenantId: string): Promise<Versions> {
  const { version: policy } = await findCurrentPolicy(db, tenantId)
  return { scanner: SCANNER_VERSION, address: ADDRESS_POLICY_VERSION, dns: DNS_POLICY_VERSION, policy }
}

/** Returns one scan. Errors: `not_found`. */
export async function getScan(store: Store, { tenantId }: UserActor, id: string): Promise<Scan> {
  const scan = await findScan(store.reader, { tenantId, id })
  if (scan === undefined) throw notFound()
  return toScan(scan, store.clock(), await currentVersions(store.reader, tenantId), openingsIn(store, tenantId))
}

/** Returns a scan that answers a later request from the cache. `reasons`: why no page could be fetched now. Errors: `not_found`. */
export async function getHit(
  store: Store,
  reader: UserActor,
  { id, reasons }: { id: string; reasons: readonly ScanReason[] },
): Promise<Scan> {
  const scan = await getScan(store, reader, id)
  return { ...scan, cacheStatus: 'hit', reasons: [...new Set([...scan.reasons, ...reasons])] }
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
  const versions = await currentVersions(store.reader, tenantId)
  const openings = openingsIn(store, tenantId)
  const wanted = { tenantId, businessIds, ...filter, now, versions }
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
    toItem: (scan) => toScan(scan, time, versions, openings),
  })
}

type Openings = (scanId: string) => ReadonlyMap<number, string | null>

/** Reads the beginnings of pages, by position, as long as this process holds their content. */
function openingsIn(store: Store, tenantId: string): Openings {
  return (scanId) =>
    new Map(
      heldContentOf(store)
        .pagesOf(tenantId, scanId)
        .map(({ position, opening }) => [position, opening]),
    )
}

function toScan({ storedCacheStatus, ...scan }: StoredScan, now: Date, versions: Versions, openingsOf: Openings): Scan {
  const openings = openingsOf(scan.id)
  return {
    ...scan,
    pages: scan.pages.map((page, position) => ({ ...page, opening: openings.get(position) ?? null })),
    freshness: freshnessOf(scan, now, versions),
    cacheStatus: storedCacheStatus,
    ageSeconds:
      scan.observedAt === null ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(scan.observedAt)) / 1_000)),
    valuesHidden: false,
  }
}

/** Returns the freshness of a scan. Only a complete scan is fresh: one that was blocked or did not read everything expires at its end. */
export function freshnessOf(
  scan: Pick<
    StoredScan,
    'state' | 'scannerVersion' | 'addressPolicyVersion' | 'dnsPolicyVersion' | 'policyVersion' | 'expiresAt'
  >,
  now: Date,
  { scanner, address, dns, policy }: Versions,
): Scan['freshness'] {
  const isOfOtherVersions =
    scan.scannerVersion !== scanner ||
    scan.addressPolicyVersion !== address ||
    scan.policyVersion !== policy ||
    (scan.dnsPolicyVersion !== null && scan.dnsPolicyVersion !== dns)
  if (isOfOtherVersions) return 'policy_changed'
  const isFresh = scan.state === 'complete' && scan.expiresAt !== null && scan.expiresAt > now.toISOString()
  return isFresh ? 'fresh' : 'stale'
}
