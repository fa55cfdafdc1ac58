import { daysAfter } from '../../../lib/clock.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { Tx } from '../../../store/change/change.ts'
import { getBusiness } from '../../businesses/businesses.ts'
import { gate } from '../../contact-gate/contact-gate.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { FRESH_DAYS } from '../bounds.ts'
import { judgePage } from '../pages/classify.rules.ts'
import { type HeldPage, heldContentOf } from '../pages/held-content.ts'
import { knownFactsOf } from '../pages/known-facts.ts'
import { storedUrl } from '../pages/page-urls.rules.ts'
import { findCurrentPolicy } from '../policies/policies.queries.ts'
import type { ScanReason } from '../reasons.ts'
import type { ScanState } from '../scanning.table.ts'
import { deleteCached, putCached } from '../scans/scan-cache.queries.ts'
import {
  findScan,
  insertPage,
  interruptPages,
  type StoredScan,
  updatePage,
  updateResult,
} from '../scans/scans.queries.ts'
import type { Spent } from '../scans/scans.schema.ts'
import { domainsOnRecord, kindOfHost } from '../sites/record-hosts.ts'
import { blocking } from './answers.rules.ts'
import { stateOfFetching, unmetOf } from './conditions.ts'
import { type FetchedPage, fetchPages, type Hop } from './fetch-pages.ts'
import { scanInTurn } from './host-turns.ts'
import { takePendingUrl } from './pending-urls.ts'
import { cacheKeyOf } from './request-scan.ts'

/**
 * Runs one accepted scan: checks all conditions again, requests the pages within the budgets, and stores each page after it is parsed. A scan whose
 * process stopped is not repeated; its unfinished pages end as interrupted. The result of the job is how the scan ended.
 */
export async function runScan(context: JobContext, scanId: string): Promise<JsonObject> {
  const { store, tenantId, signal } = context
  const scan = await findScan(store.reader, { tenantId, id: scanId })
  if (scan === undefined || scan.endedAt !== null) return { scanId, state: scan?.state ?? 'not_found' }
  const href = takePendingUrl(store, scanId)
  const start = startOf(scan, href)
  if (scan.state === 'running' || start === undefined) return end(context, scan, { reasons: ['interrupted'] })
  return scanInTurn({ tenantId, host: start.hostname }, signal, () => runIn(context, scan, start))
}

/** Returns the URL to fetch. A masked stored URL cannot be fetched. */
function startOf({ url }: StoredScan, href: string | undefined): URL | undefined {
  const known = href ?? (url?.includes('***') === false ? url : undefined)
  return known === undefined ? undefined : (URL.parse(known) ?? undefined)
}

async function runIn(context: JobContext, scan: StoredScan, start: URL): Promise<JsonObject> {
  const { store, adapters, tenantId, actor, signal, effect, lineageId: jobId } = context
  const { businessId } = scan
  const begun = await effect('start', { action: 'scan.start' }, (tx) => begin(tx, context, scan, start))
  if (begun.sourceId === null) return { scanId: scan.id, state: 'deferred', reasons: begun.reasons }
  const { sourceId } = begun
  const business = await getBusiness(store.reader, tenantId, businessId)
  const held: HeldPage[] = []
  const fetched = await fetchPages({
    asking: { store, adapters, actor, signal, jobId },
    sourceId,
    businessId,
    start,
    known: knownFactsOf(business),
    budgets: scan.budgets.applied,
    prevents: (tx) => prevented(tx, scan, start),
    begin: async (position, page) => {
      await effect(`page ${position} begins`, { action: 'scan.page' }, async (tx) => {
        await beginPage(tx, scan, position, page)
        return null
      })
    },
    store: async (position, page) => {
      const stored = await effect(`page ${position}`, { action: 'scan.page' }, (tx) =>
        endPage(tx, context, scan, position, page),
      )
      if (stored === null && page.held !== null)
        held.push({ ...page.held, position, observedAt: store.clock().toISOString() })
      return stored === null
    },
  })
  const ended = await end(context, scan, { ...fetched, href: start.href })
  heldContentOf(store).hold(tenantId, scan.id, held)
  return ended
}

type Begun = { sourceId: string | null; reasons: ScanReason[] }

/** Checks all conditions again when the scan begins. */
async function begin(tx: Tx, { adapters }: JobContext, scan: StoredScan, start: URL): Promise<Begun> {
  const { tenantId } = tx.actor
  const business = await getBusiness(tx.db, tenantId, scan.businessId)
  const state = await stateOfFetching({ db: tx.db, tenantId, now: tx.at, adapters, business })
  // `daily_limit` is skipped: the scan was counted when it was accepted.
  const reasons: ScanReason[] = unmetOf(state).filter((key) => key !== 'daily_limit')
  const own = await prevented(tx, scan, start)
  if (own !== undefined && !reasons.includes(own)) reasons.push(own)
  if (state.sourceId === null && reasons.length === 0) reasons.push('source_not_enabled')
  const isDeferred = reasons.length > 0
  await updateResult(
    tx.db,
    { tenantId, id: scan.id },
    {
      state: isDeferred ? 'deferred' : 'running',
      reasons: JSON.stringify(reasons),
      ...(isDeferred ? { ended_at: tx.at } : {}),
    },
  )
  await tx.record({
    action: isDeferred ? 'scan.defer' : 'scan.start',
    subject: { type: 'scan', id: scan.id },
    businessId: scan.businessId,
    after: { reasons },
  })
  return { sourceId: isDeferred ? null : state.sourceId, reasons }
}

/** Checks this room's own conditions in the change of every request. */
async function prevented(tx: Tx, scan: StoredScan, start: URL): Promise<ScanReason | undefined> {
  const { tenantId } = tx.actor
  const business = await getBusiness(tx.db, tenantId, scan.businessId)
  if (business.status !== 'active') return 'business_not_active'
  if (business.doNotContact !== null || (await namesSuppressed(tx, [start.href]))) return 'do_not_contact'
  const domains = await domainsOnRecord(tx.db, tenantId, business)
  if (kindOfHost(start.hostname, domains) !== 'on_record') return 'other_host'
  const policy = await findCurrentPolicy(tx.db, tenantId)
  return policy.version === scan.policyVersion ? undefined : 'policy_changed'
}

/** True if an entry matches a value in one of these texts: the host of a URL, or a value in its path or query. Fails closed. */
async function namesSuppressed(tx: Tx, texts: readonly string[]): Promise<boolean> {
  const values = texts.map((value) => ({ kind: 'domain' as const, value }))
  return (await gate(tx, tx.actor.tenantId, values)).length > 0
}

async function beginPage(
  tx: Tx,
  scan: StoredScan,
  position: number,
  { url, role }: Pick<FetchedPage, 'url' | 'role'>,
): Promise<void> {
  await insertPage(tx.db, {
    tenant_id: tx.actor.tenantId,
    scan_id: scan.id,
    position,
    url: storedUrl(new URL(url)),
    role,
    outcome: null,
    facts: null,
    class: 'unknown',
    suspected: '[]',
    reasons: '[]',
    retry_at: null,
  })
  await tx.record({ subject: { type: 'scan', id: scan.id }, businessId: scan.businessId, after: { page: position } })
}

/** Checks suppression and the source again before the facts are stored. Returns the reason if they are not stored. */
async function endPage(
  tx: Tx,
  { adapters }: JobContext,
  scan: StoredScan,
  position: number,
  page: FetchedPage,
): Promise<ScanReason | null> {
  const { tenantId } = tx.actor
  const state = await stateOfFetching({ db: tx.db, tenantId, now: tx.at, adapters })
  const isSuppressed = await namesSuppressed(tx, [
    page.url,
    page.facts?.title ?? '',
    ...page.hops.map(({ url }) => url),
  ])
  const own = isSuppressed ? 'do_not_contact' : await prevented(tx, scan, new URL(scan.url ?? page.url))
  const reason = own ?? (unmetOf(state).includes('source_not_enabled') ? 'source_not_enabled' : null)
  const reasons = reason === null ? page.reasons : [reason]
  const judged = judgePage(reason === null ? page.facts : null, reasons)
  await updatePage(
    tx.db,
    { tenantId, scanId: scan.id, position },
    {
      outcome: reason === null ? page.outcome : 'not_read',
      facts: judged.facts === null ? null : JSON.stringify(judged.facts),
      class: judged.class,
      suspected: JSON.stringify(judged.suspected),
      reasons: JSON.stringify(reasons),
      retry_at: page.retryAt,
    },
    reason === null ? page.hops.map((hop, at) => hopRow(tenantId, scan.id, position, hop, at)) : [],
  )
  await tx.record({
    subject: { type: 'scan', id: scan.id },
    businessId: scan.businessId,
    after: { page: position, outcome: page.outcome, reasons },
  })
  return reason
}

function hopRow(tenantId: string, scanId: string, page: number, hop: Hop, position: number) {
  const url = URL.parse(hop.url)
  return { tenant_id: tenantId, scan_id: scanId, page, position, ...hop, url: url === null ? '' : storedUrl(url) }
}

type Ended = { reasons: readonly ScanReason[]; spent?: Spent; href?: string }

function stateOf(reasons: readonly ScanReason[]): Extract<ScanState, 'complete' | 'incomplete' | 'blocked'> {
  if (reasons.some((reason) => blocking.has(reason))) return 'blocked'
  return reasons.every((reason) => reason === 'charset_doubtful') ? 'complete' : 'incomplete'
}

async function end(
  { effect }: JobContext,
  scan: StoredScan,
  { reasons: found, spent, href }: Ended,
): Promise<JsonObject> {
  return effect('end', { action: 'scan.end' }, async (tx) => {
    const { tenantId } = tx.actor
    await interruptPages(tx.db, { tenantId, id: scan.id })
    const stored = (await findScan(tx.db, { tenantId, id: scan.id }))?.pages.flatMap((page) => page.reasons) ?? []
    const reasons = [...new Set([...found, ...stored])]
    const state = stateOf(reasons)
    await updateResult(
      tx.db,
      { tenantId, id: scan.id },
      {
        state,
        reasons: JSON.stringify(reasons),
        observed_at: tx.at,
        ended_at: tx.at,
        expires_at: state === 'complete' ? daysAfter(tx.at, FRESH_DAYS) : tx.at,
        ...(spent === undefined ? {} : { spent: JSON.stringify(spent) }),
      },
    )
    if (href !== undefined) {
      const key = { tenantId, businessId: scan.businessId, urlHash: cacheKeyOf(href) }
      if (state === 'complete') await putCached(tx.db, { ...key, scanId: scan.id, at: tx.at })
      // An earlier scan must not answer for a host that was unsafe since.
      else if (state === 'blocked') await deleteCached(tx.db, key)
    }
    const after = { state, reasons, ...(spent === undefined ? {} : { spent }) }
    await tx.record({ subject: { type: 'scan', id: scan.id }, businessId: scan.businessId, after })
    return { scanId: scan.id, state, reasons }
  })
}
