import { DNS_POLICY_VERSION } from '@prospect/adapter-contract/web-page'
import { actorKey, type UserActor } from '../../../lib/actor.ts'
import { invalidField } from '../../../lib/app-error.ts'
import { daysAfter } from '../../../lib/clock.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { getActiveBusiness, getBusiness } from '../../businesses/businesses.ts'
import { requireMayBeStored } from '../../contact-gate/contact-gate.ts'
import { createJob, type JobKind } from '../../jobs/jobs.ts'
import { readPageUrl, storedUrl } from '../pages/page-urls.rules.ts'
import { findCurrentPolicy } from '../policies/policies.queries.ts'
import type { ScanReason } from '../reasons.ts'
import { currentVersions, freshnessOf } from '../scans/read-scans.ts'
import { findCached, touchCached } from '../scans/scan-cache.queries.ts'
import { findScan, insertScan, scanCounts } from '../scans/scans.queries.ts'
import { requireOnRecord } from '../sites/official-sites.ts'
import { domainsOnRecord } from '../sites/record-hosts.ts'
import { ADDRESS_POLICY_VERSION, SCANNER_VERSION } from '../versions.ts'
import { stateOfFetching, unmetOf } from './conditions.ts'
import type { RequestScan, ScanningStatus, ScanPlan } from './fetching.schema.ts'
import { putPendingUrl } from './pending-urls.ts'

/** Result of a scan request: a fresh scan exists, the scan cannot run now, or a job was queued. */
export type RequestedScan =
  | { id: string; answer: 'deferred' | 'accepted' }
  | { id: string; answer: 'cached'; reasons: readonly ScanReason[] }

const nothingSpent = { ms: 0, pages: 0, redirects: 0, wireBytes: 0, decodedBytes: 0, links: 0 }

/**
 * Requests a scan of a prospect's website without sending a request to it. Errors: `not_found`, `business_not_active`, `host_not_on_record`,
 * `shared_host`, `invalid_request`, `queue_full`, `suppressed` (a value in the URL; a scan of a record that is do not contact is deferred instead).
 */
export async function requestScan(
  tx: Tx,
  adapters: LoadedAdapters,
  kind: JobKind<{ scanId: string }>,
  { businessId, url: typed, bypassCache }: RequestScan,
): Promise<RequestedScan> {
  const { tenantId } = tx.actor
  const business = await getActiveBusiness(tx, businessId)
  const url = startUrl(typed)
  requireOnRecord(await domainsOnRecord(tx.db, tenantId, business), url.hostname)
  if (business.doNotContact === null) await requireFree(tx, storedUrl(url))
  const urlHash = cacheKeyOf(url.href)
  const cached = bypassCache ? undefined : await findFresh(tx, businessId, urlHash)
  if (cached !== undefined) {
    await touchCached(tx.db, { tenantId, businessId, urlHash, at: tx.at })
    // A prospect that is do not contact is never fetched again, and a stored scan must not suggest otherwise.
    const reasons: ScanReason[] = business.doNotContact === null ? [] : ['do_not_contact']
    await tx.record({ subject: { type: 'scan', id: cached }, businessId, after: { cacheStatus: 'hit', reasons } })
    return { id: cached, answer: 'cached', reasons }
  }
  const state = await stateOfFetching({ db: tx.db, tenantId, now: tx.at, adapters, business })
  const reasons = unmetOf(state)
  const isAccepted = reasons.length === 0
  const policy = await findCurrentPolicy(tx.db, tenantId)
  const id = newId()
  const jobId = isAccepted ? (await createJob(tx, { kind, input: { scanId: id } })).id : null
  await insertScan(
    tx.db,
    {
      tenant_id: tenantId,
      id,
      business_id: businessId,
      origin: 'fetched',
      url: storedUrl(url),
      requested_at: tx.at,
      requested_by: actorKey(tx.actor),
      job_id: jobId,
    },
    {
      state: isAccepted ? 'queued' : 'deferred',
      reasons: JSON.stringify(reasons),
      observed_at: null,
      ended_at: isAccepted ? null : tx.at,
      scanner_version: SCANNER_VERSION,
      policy_version: policy.version,
      address_policy_version: ADDRESS_POLICY_VERSION,
      dns_policy_version: DNS_POLICY_VERSION,
      applied: JSON.stringify(policy.budgets),
      spent: JSON.stringify(nothingSpent),
      expires_at: null,
      cache_status: bypassCache ? 'bypass' : isAccepted ? 'miss' : 'not_cached',
      delete_after: daysAfter(tx.at, policy.retentionDays),
      emptied_at: null,
      evaluated_by: null,
    },
  )
  if (isAccepted) {
    await scanCounts.add(tx.db, { tenantId, at: tx.at }, 'fetched')
    // Store the URL before the commit: the worker can start the job as soon as the commit is visible.
    putPendingUrl(tx, id, url.href)
  }
  await tx.record({
    action: isAccepted ? 'scan.request' : 'scan.defer',
    subject: { type: 'scan', id },
    businessId,
    after: { jobId, reasons, bypassCache, policyVersion: policy.version },
  })
  return { id, answer: isAccepted ? 'accepted' : 'deferred' }
}

function startUrl(typed: string): URL {
  const url = readPageUrl(typed)
  if (url === undefined) throw invalidField('url', 'invalid_value', 'This is not the address of a page.')
  return url
}

/** Errors: `suppressed`. */
function requireFree(tx: Tx, url: string): Promise<void> {
  const message =
    'A host, address or number in this web address is on the do-not-contact list, so the page is not requested.'
  return requireMayBeStored(tx, [{ kind: 'domain', value: url }], { path: 'url', message })
}

export function cacheKeyOf(href: string): string {
  return sha256(href)
}

async function findFresh(tx: Tx, businessId: string, urlHash: string): Promise<string | undefined> {
  const { tenantId } = tx.actor
  const scanId = await findCached(tx.db, { tenantId, businessId, urlHash })
  const scan = scanId === undefined ? undefined : await findScan(tx.db, { tenantId, id: scanId })
  if (scan === undefined) return undefined
  const versions = await currentVersions(tx.db, tenantId)
  return freshnessOf(scan, new Date(tx.at), versions) === 'fresh' ? scan.id : undefined
}

/** Returns what a fetch would request and what prevents it. Sends and stores nothing. Errors: those of `requestScan`. */
export async function planScan(
  store: Store,
  { tenantId }: UserActor,
  adapters: LoadedAdapters,
  { businessId, url: typed }: Pick<RequestScan, 'businessId' | 'url'>,
): Promise<ScanPlan> {
  const db = store.reader
  const business = await getBusiness(db, tenantId, businessId)
  const url = startUrl(typed)
  requireOnRecord(await domainsOnRecord(db, tenantId, business), url.hostname)
  const now = store.clock().toISOString()
  const state = await stateOfFetching({ db, tenantId, now, adapters, business })
  const { budgets } = await findCurrentPolicy(db, tenantId)
  return {
    url: storedUrl(url),
    pages: [`${url.origin}/robots.txt`, storedUrl(url)],
    maxPages: budgets.pages,
    budgets,
    conditions: state.conditions,
    canFetch: business.status === 'active' && unmetOf(state).length === 0,
  }
}

/** `running`: scans of the tenant that run in this process. */
export async function readStatus(
  store: Store,
  { tenantId, adapters, running }: { tenantId: string; adapters: LoadedAdapters; running: number },
): Promise<ScanningStatus> {
  const db = store.reader
  const now = store.clock().toISOString()
  const state = await stateOfFetching({ db, tenantId, now, adapters })
  const { fetched } = await scanCounts.read(db, { tenantId, at: now })
  const { budgets, version } = await findCurrentPolicy(db, tenantId)
  return {
    canFetch: unmetOf(state).length === 0,
    conditions: state.conditions,
    running,
    usedToday: { tenant: fetched, max: budgets.fetchedPerDay },
    policyVersion: version,
  }
}
