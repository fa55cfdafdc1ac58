import type { UserActor } from '../../../lib/actor.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { createTenantTurns } from '../../../lib/tenant-turns.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { getBusiness } from '../../businesses/businesses.ts'
import { getTenant } from '../../identity/identity.ts'
import type { JobContext, JobKind } from '../../jobs/jobs.ts'
import { registrableDomain } from '../../normalization/normalization.ts'
import { bareHost, sitesOfRecord } from '../../scanning/scanning.ts'
import { readingBounds, runningBounds } from '../bounds.ts'
import { isGateFailure } from '../candidates/ask-gate.ts'
import { type ReadPageContacts, saveFindings } from '../candidates/save-findings.ts'
import { findEnablement, lapseByGate, lapseWhereDue } from '../enablement/enablement.ts'
import type { ContactOrder } from '../reading/found-values.ts'
import { runContactReading } from '../reading/run-contact-reading.ts'
import type { ExtractionReason } from '../reasons.ts'
import { findExtraction, type StoredExtraction, updateExtraction } from './extractions.queries.ts'
import type { RequestExtraction, StoredCounts } from './extractions.schema.ts'
import { type NotRead, type PageScopeOf, pagesInScope } from './page-scope.ts'
import { nothingCounted, preventing, requestExtraction, scansOf, stateFor } from './request-extraction.ts'
import { isSiteSuppressed } from './site-suppressed.ts'

const turns = createTenantTurns<{ tenantId: string }>({
  isFree: ({ tenantId }, running) =>
    running.size < runningBounds.ofAll &&
    [...running].filter((other) => other.tenantId === tenantId).length < runningBounds.ofTenant,
})

/**
 * Runs one accepted extraction: reads its pages in a thread, and stores everything that it found, and its end, in one change. Where the gate or the
 * provenance fails, nothing is stored, and the extraction ends `failed`. A later attempt finds no content and ends `unknown`.
 */
export async function runExtraction(context: JobContext, extractionId: string): Promise<JsonObject> {
  const { store, tenantId, signal } = context
  const extraction = await findExtraction(store.reader, { tenantId, id: extractionId })
  if (extraction === undefined || extraction.endedAt !== null)
    return { extractionId, state: extraction?.state ?? 'not_found' }
  return turns.run({ tenantId }, () => runIn(context, extraction), { signal })
}

type Begun = { state: 'running' } | { state: 'deferred' | 'blocked' | 'unknown'; reasons: ExtractionReason[] }

async function runIn(context: JobContext, extraction: StoredExtraction): Promise<JsonObject> {
  const { effect } = context
  const begun: Begun = await effect('start', { action: 'extraction.start' }, (tx) =>
    begin(tx, context.store, extraction),
  )
  if (begun.state !== 'running') return { extractionId: extraction.id, ...begun }
  const { scope, read } = await readPages(context, extraction)
  try {
    return await effect('end', { action: 'extraction.end' }, (tx) => save(tx, extraction, scope, read))
  } catch (error) {
    const reason = failureOf(error)
    if (reason === undefined) throw error
    return effect('fail', { action: 'extraction.end' }, (tx) => fail(tx, extraction, reason))
  }
}

/**
 * Requests an extraction and stores its result in one change, from pages that this process holds. A job in another process holds none, so the sample
 * extracts in this way. The job of the request finds that it has ended. Errors: those of `requestExtraction`, a failure of the gate.
 */
export async function extractAtOnce({ store, actor, kind, pageMs }: AtOnce, request: RequestExtraction): Promise<void> {
  const { tenantId } = actor
  const { limits: applied } = await findEnablement(store.reader, tenantId)
  const { signal } = new AbortController()
  const { scope, read } = await readPages({ store, actor, tenantId, signal }, { ...request, applied }, pageMs)
  await change(store, actor, { permission: null, action: 'extraction.request' }, async (tx) => {
    const { id } = await requestExtraction(tx, store, kind, request)
    const extraction = await findExtraction(tx.db, { tenantId, id })
    if (extraction === undefined || extraction.endedAt !== null) return
    const begun = await begin(tx, store, extraction)
    if (begun.state === 'running') await save(tx, extraction, scope, read)
  })
}

type AtOnce = {
  store: Store
  actor: UserActor
  kind: JobKind<{ extractionId: string }>
  /** time limit of a page */
  pageMs: number
}
type Reader = Pick<JobContext, 'store' | 'actor' | 'tenantId' | 'signal'>
type Wanted = Pick<StoredExtraction, 'businessId' | 'scanIds' | 'applied'>

async function readPages(
  context: Reader,
  wanted: Wanted,
  pageMs?: number,
): Promise<{ scope: PageScopeOf; read: ReadPageContacts[] }> {
  const scope = await scopeOf(context, wanted)
  const order = await orderFor(context, wanted, scope)
  const read: ReadPageContacts[] = []
  for (const one of scope.pages) {
    context.signal.throwIfAborted()
    const { page, site, scan, url } = one
    const { body: bytes, contentType, format, role } = page
    const about = { ...order, bytes, contentType, format, url: page.url, role }
    const answer = await runContactReading(context.tenantId, about, pageMs)
    if ('outOfBounds' in answer) leave(scope, url, answer.outOfBounds === 'time' ? 'time_limit' : 'scan_incomplete')
    else if (answer.answer.scope === 'out') leave(scope, url, 'page_out_of_scope')
    else {
      if (!answer.answer.isWhole) leave(scope, url, 'scan_incomplete')
      read.push({ url, siteId: site.id, scanId: scan.id, observedAt: page.observedAt, contacts: answer.answer })
    }
  }
  return { scope, read }
}

function failureOf(error: unknown): 'gate_unavailable' | 'provenance_incomplete' | undefined {
  if (error instanceof ProvenanceIncomplete) return 'provenance_incomplete'
  return isGateFailure(error) ? 'gate_unavailable' : undefined
}

/** A page lacks its address, site, scan or time, so its values cannot be stored. */
class ProvenanceIncomplete extends Error {}

function leave(
  { notRead, reasons }: { notRead: NotRead[]; reasons: Set<ExtractionReason> },
  url: string,
  reason: ExtractionReason,
) {
  notRead.push({ url, reason })
  reasons.add(reason)
}

/** Starts the extraction, or ends it if a condition of the request no longer holds. */
async function begin(tx: Tx, store: Store, extraction: StoredExtraction): Promise<Begun> {
  const { id, businessId, scanIds } = extraction
  const key = { tenantId: tx.actor.tenantId, id }
  const business = await getBusiness(tx.db, tx.actor.tenantId, businessId)
  const scans = await scansOf(tx, store, businessId, scanIds)
  const enablement = await lapseWhereDue(tx)
  const reason =
    business.doNotContact === null
      ? await preventing(tx, businessId, scans, enablement, { isCounted: true })
      : ('do_not_contact' as const)
  // A restart lost the content of an accepted request, so the pages are unknown.
  const state = reason === null ? 'running' : reason === 'content_gone' ? 'unknown' : stateFor(reason)
  const reasons = reason === null ? [] : [reason]
  await updateExtraction(tx.db, key, {
    state,
    reasons: JSON.stringify(reasons),
    ...(state === 'running' ? {} : { ended_at: tx.at }),
  })
  await tx.record({
    action: state === 'running' ? 'extraction.start' : 'extraction.end',
    subject: { type: 'extraction', id },
    businessId,
    after: { state, reasons },
  })
  return state === 'running' ? { state } : { state, reasons }
}

async function scopeOf({ store, actor }: Reader, { businessId, scanIds, applied }: Wanted): Promise<PageScopeOf> {
  const { tenantId } = actor
  const scans = await scansOf({ db: store.reader, actor }, store, businessId, scanIds)
  const sites = await sitesOfRecord(store.reader, { tenantId, businessId, now: store.clock().toISOString() })
  return pagesInScope(scans, sites, applied.pages)
}

type Common = Pick<ContactOrder, 'ownDomains' | 'names' | 'country' | 'maxValues'>

async function orderFor({ store, tenantId }: Reader, { businessId }: Wanted, { pages }: PageScopeOf): Promise<Common> {
  const { name, tradingName, domains } = await getBusiness(store.reader, tenantId, businessId)
  const hosts = pages.map(({ site }) => bareHost(site.host))
  const own = [
    ...hosts.map((host) => registrableDomain(host) ?? host),
    ...domains.flatMap(({ normalized }) => normalized ?? []),
  ]
  return {
    ownDomains: [...new Set(own)],
    names: [name, tradingName].filter((one) => one !== null),
    country: (await getTenant(store.reader, tenantId)).country,
    maxValues: readingBounds.valuesPerPage,
  }
}

/** Stores the candidates and the end in one change. Errors: those of the gate, `ProvenanceIncomplete`. */
async function save(
  tx: Tx,
  extraction: StoredExtraction,
  { notRead, reasons: found }: PageScopeOf,
  read: readonly ReadPageContacts[],
): Promise<JsonObject> {
  const { tenantId } = tx.actor
  const { businessId } = extraction
  const business = await getBusiness(tx.db, tenantId, businessId)
  // The gate is asked before the enablement, which lapses if the gate fails and would end the extraction as deferred.
  const isHostSuppressed = await isSiteSuppressed(tx, ['gate.example', ...read.map(({ url }) => new URL(url).hostname)])
  const enablement = await lapseWhereDue(tx)
  const isBlocked = business.doNotContact !== null || isHostSuppressed
  const prevented: ExtractionReason | null = isBlocked
    ? 'do_not_contact'
    : enablement.state === 'enabled'
      ? null
      : 'enablement_lapsed'
  if (prevented !== null) return endAs(tx, extraction, stateFor(prevented), [prevented], [], nothingCounted)
  if (read.some(({ url, siteId, scanId, observedAt }) => [url, siteId, scanId, observedAt].includes('')))
    throw new ProvenanceIncomplete('A page has no address, site, scan or time.')
  const reasons = new Set(found)
  const saved = await saveFindings(tx, extraction, read)
  if (saved.isLimited) reasons.add('candidate_limit')
  return endAs(tx, extraction, reasons.size === 0 ? 'complete' : 'unknown', [...reasons], notRead, saved.counts)
}

async function endAs(
  tx: Tx,
  { id, businessId }: StoredExtraction,
  state: 'complete' | 'unknown' | 'deferred' | 'blocked' | 'failed',
  reasons: readonly ExtractionReason[],
  notRead: readonly NotRead[],
  counts: StoredCounts,
): Promise<JsonObject> {
  await updateExtraction(
    tx.db,
    { tenantId: tx.actor.tenantId, id },
    {
      state,
      reasons: JSON.stringify(reasons),
      not_read: JSON.stringify(notRead),
      counts: JSON.stringify(counts),
      ended_at: tx.at,
    },
  )
  await tx.record({
    action: 'extraction.end',
    subject: { type: 'extraction', id },
    businessId,
    after: { state, reasons, notRead: notRead.length },
  })
  return { extractionId: id, state, reasons: [...reasons] }
}

/** Ends the extraction as failed; nothing else of it is stored. A failed gate ends the enablement as well. */
async function fail(
  tx: Tx,
  extraction: StoredExtraction,
  reason: 'gate_unavailable' | 'provenance_incomplete',
): Promise<JsonObject> {
  if (reason === 'gate_unavailable') await lapseByGate(tx)
  return endAs(tx, extraction, 'failed', [reason], [], nothingCounted)
}
