import { actorKey } from '../../../lib/actor.ts'
import { namesNothing } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { familyOf, getActiveBusiness } from '../../businesses/businesses.ts'
import { createJob, type JobKind } from '../../jobs/jobs.ts'
import { findScan, heldContentOf, sitesOfRecord } from '../../scanning/scanning.ts'
import { candidateBounds } from '../bounds.ts'
import { countUndecided } from '../candidates/candidates.queries.ts'
import { answersGate } from '../enablement/checklist.ts'
import { type Enablement, lapseWhereDue } from '../enablement/enablement.ts'
import type { ExtractionReason } from '../reasons.ts'
import { EXTRACTOR_VERSION, POLICY_VERSION } from '../versions.ts'
import { extractionCounts, insertExtraction } from './extractions.queries.ts'
import type { RequestExtraction } from './extractions.schema.ts'
import { type ScanWithPages, siteOfHost } from './page-scope.ts'
import { isSiteSuppressed } from './site-suppressed.ts'

/** Outcome of a request: a job, or an extraction that cannot run now. */
export type RequestedExtraction = { id: string; answer: 'accepted' | 'deferred' }

export const nothingCounted = {
  excluded: {},
  examples: {},
  protected: {},
  suppressed: 0,
  rejectedBefore: 0,
  acceptedBefore: 0,
}

/**
 * Requests an extraction from pages that scans hold in memory. Errors: `not_found` (the prospect, a scan of another one), `business_not_active`,
 * `queue_full`.
 */
export async function requestExtraction(
  tx: Tx,
  store: Store,
  kind: JobKind<{ extractionId: string }>,
  { businessId, scanIds }: RequestExtraction,
): Promise<RequestedExtraction> {
  const { tenantId } = tx.actor
  const business = await getActiveBusiness(tx, businessId)
  const wanted = [...new Set(scanIds)]
  const scans = await scansOf(tx, store, businessId, wanted)
  const enablement = await lapseWhereDue(tx)
  const reason =
    business.doNotContact === null ? await preventing(tx, businessId, scans, enablement) : ('do_not_contact' as const)
  const id = newId()
  const jobId = reason === null ? (await createJob(tx, { kind, input: { extractionId: id } })).id : null
  await insertExtraction(
    tx.db,
    {
      tenant_id: tenantId,
      id,
      business_id: businessId,
      scan_ids: JSON.stringify(wanted),
      extractor_version: EXTRACTOR_VERSION,
      policy_version: POLICY_VERSION,
      limits: JSON.stringify(enablement.limits),
      requested_at: tx.at,
      requested_by: actorKey(tx.actor),
      job_id: jobId,
    },
    {
      state: reason === null ? 'queued' : stateFor(reason),
      reasons: JSON.stringify(reason === null ? [] : [reason]),
      not_read: '[]',
      counts: JSON.stringify(nothingCounted),
      ended_at: reason === null ? null : tx.at,
      emptied_at: null,
    },
  )
  if (reason === null) await extractionCounts.add(tx.db, { tenantId, at: tx.at }, 'requested')
  await tx.record({
    action: 'extraction.request',
    subject: { type: 'extraction', id },
    businessId,
    after: { jobId, reason, scanIds: wanted },
  })
  return { id, answer: reason === null ? 'accepted' : 'deferred' }
}

export function stateFor(reason: ExtractionReason): 'blocked' | 'deferred' {
  return reason === 'do_not_contact' ? 'blocked' : 'deferred'
}

/** Errors: `not_found` for a scan of another prospect. */
export async function scansOf(
  tx: Pick<Tx, 'db' | 'actor'>,
  store: Store,
  businessId: string,
  scanIds: readonly string[],
): Promise<ScanWithPages[]> {
  const { tenantId } = tx.actor
  const family = await familyOf(tx.db, tenantId, businessId)
  const found: ScanWithPages[] = []
  for (const [index, id] of scanIds.entries()) {
    const scan = await findScan(tx.db, { tenantId, id })
    if (scan === undefined || !family.includes(scan.businessId))
      throw namesNothing(`scanIds.${index}`, 'There is no such scan of this prospect.')
    found.push({ scan, pages: heldContentOf(store).pagesOf(tenantId, id) })
  }
  return found
}

/** Returns the first reason for which an extraction cannot run now; null if it can. */
export async function preventing(
  tx: Tx,
  businessId: string,
  scans: readonly ScanWithPages[],
  { state, limits }: Enablement,
  { isCounted = false }: { isCounted?: boolean } = {},
): Promise<ExtractionReason | null> {
  const { tenantId } = tx.actor
  if (state === 'disabled') return 'disabled'
  if (!(await answersGate({ db: tx.db, keys: tx.keys }, tenantId))) return 'gate_unavailable'
  if (state === 'lapsed') return 'enablement_lapsed'
  const sites = await sitesOfRecord(tx.db, { tenantId, businessId, now: tx.at })
  const hosts = scans.flatMap(({ scan, pages }) => [
    ...(scan.url === null ? [] : [new URL(scan.url).hostname]),
    ...pages.map(({ url }) => new URL(url).hostname),
  ])
  if (await isSiteSuppressed(tx, hosts)) return 'do_not_contact'
  if (!hosts.some((host) => siteOfHost(sites, host) !== undefined))
    return sites.some((site) => site.state === 'expired') ? 'site_expired' : 'site_not_approved'
  if (scans.every(({ pages }) => pages.length === 0)) return 'content_gone'
  const { requested } = await extractionCounts.read(tx.db, { tenantId, at: tx.at })
  const isOverDay = !isCounted && requested >= limits.extractionsPerDay
  const isFull = (await countUndecided(tx.db, tenantId, businessId)) >= candidateBounds.openOfBusiness
  return isOverDay || isFull ? 'out_of_budget' : null
}
