import { actorKey, type UserActor } from '../../../lib/actor.ts'
import { AppError, invalidField } from '../../../lib/app-error.ts'
import { daysAfter, isInFuture } from '../../../lib/clock.ts'
import { sha256OfBytes } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import { limitReached, secondsUntilTomorrow } from '../../../lib/limit-reached.ts'
import { type ChangeOptions, type ChangeResult, change, type Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { type Business, getActiveBusiness, getBusiness } from '../../businesses/businesses.ts'
import { requireMayBeStored } from '../../contact-gate/contact-gate.ts'
import { FRESH_DAYS } from '../bounds.ts'
import { suppliedOfDay } from '../day-limits.ts'
import { judgePage } from '../pages/classify.rules.ts'
import { heldContentOf } from '../pages/held-content.ts'
import { knownFactsOf } from '../pages/known-facts.ts'
import { nothingKnown, type PageFacts } from '../pages/page-facts.ts'
import { readPageUrl, storedUrl } from '../pages/page-urls.rules.ts'
import { type Reading, runReading } from '../pages/run-reading.ts'
import { findCurrentPolicy, type Policy } from '../policies/policies.queries.ts'
import type { ScanReason } from '../reasons.ts'
import { insertPage, insertScan, scanCounts } from '../scans/scans.queries.ts'
import type { Spent } from '../scans/scans.schema.ts'
import { domainsOnRecord, kindOfHost } from '../sites/record-hosts.ts'
import { ADDRESS_POLICY_VERSION, SCANNER_VERSION } from '../versions.ts'
import { formatOf } from './page-format.rules.ts'
import type { SuppliedPage } from './supplied.schema.ts'

/**
 * Stores the facts of one page that a person supplied, as a completed scan; the page itself stays in memory for some minutes. Uses no network and no
 * source, and verifies nothing. Returns the id of the scan. Errors: `not_found`, `business_not_active`, `suppressed`, `page_format_unsupported`,
 * `rate_limited`, `too_many_waiting`, `invalid_request`, `unavailable`.
 */
export async function supplyPage(
  store: Store,
  actor: UserActor,
  options: ChangeOptions,
  businessId: string,
  page: SuppliedPage,
): Promise<ChangeResult<{ id: string }>> {
  const url = readPageUrl(page.url)
  if (url === undefined) throw invalidField('url', 'invalid_value', 'This is not the address of a page.')
  const business = await getBusiness(store.reader, actor.tenantId, businessId)
  const policy = await findCurrentPolicy(store.reader, actor.tenantId)
  const format = formatOf(page.page)
  const startedAt = performance.now()
  const turn = { tenantId: actor.tenantId }
  const reading = await runReading(turn, {
    bytes: page.page,
    contentType: null,
    format,
    url: url.href,
    known: knownFactsOf(business),
    maxBytes: policy.budgets.decodedBytesPerPage,
    maxLinks: policy.budgets.links,
  })
  const ms = Math.round(performance.now() - startedAt)
  const read = { ...readingOf(page, format, reading, policy), url, ms, role: page.role, policy }
  const result = await change(store, actor, options, (tx) => storePage(tx, businessId, page, read))
  if (!result.replayed) {
    const contentType = format === 'html' ? 'text/html' : 'text/plain'
    const { role, capturedAt: observedAt } = page
    const isCut = read.facts.bytes.decoded < page.page.length
    const body = page.page.subarray(0, read.facts.bytes.decoded)
    heldContentOf(store).hold(actor.tenantId, result.value.id, [
      { position: 0, url: url.href, role, format, contentType, body, isCut, observedAt, opening: read.opening },
    ])
  }
  return result
}

type ReadSupplied = { facts: PageFacts; reasons: ScanReason[]; otherHosts: readonly string[]; opening: string | null }

function readingOf({ page }: SuppliedPage, format: 'html' | 'text', reading: Reading, policy: Policy): ReadSupplied {
  const decoded = Math.min(page.length, policy.budgets.decodedBytesPerPage)
  const about = {
    status: null,
    mediaType: format === 'html' ? 'text/html' : 'text/plain',
    bytes: { wire: null, decoded },
    sha256: sha256OfBytes(page),
  }
  if (reading.page === undefined) {
    const facts = { ...about, charset: null, title: null, counts: null, repeats: nothingKnown, words: [] }
    const cut: ScanReason[] = decoded < page.length ? ['decoded_limit'] : []
    return { facts, reasons: [...cut, reading.reason], otherHosts: [], opening: null }
  }
  const { charset, title, counts, repeats, words, reasons, otherHosts, opening } = reading.page
  return { facts: { ...about, charset, title, counts, repeats, words }, reasons: [...reasons], otherHosts, opening }
}

async function storePage(
  tx: Tx,
  businessId: string,
  { capturedAt }: SuppliedPage,
  read: ReadSupplied & { url: URL; ms: number; role: SuppliedPage['role']; policy: Policy },
): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { url, facts, ms, role, policy } = read
  const business = await getActiveBusiness(tx, businessId)
  const shownUrl = storedUrl(url)
  await requireFree(tx, business, [url.hostname, shownUrl, facts.title ?? '', ...read.otherHosts])
  if (isInFuture(capturedAt, tx.at)) throw invalidField('capturedAt', 'in_future', 'This time is in the future.')
  const { supplied } = await scanCounts.read(tx.db, { tenantId, at: tx.at })
  const max = policy.budgets.suppliedPerDay
  if (supplied >= max) {
    const retryAfterSeconds = secondsUntilTomorrow(tx.at)
    throw limitReached(suppliedOfDay, { code: 'rate_limited', used: supplied, max, retryAfterSeconds })
  }
  const domains = await domainsOnRecord(tx.db, tenantId, business)
  const isOtherHost = kindOfHost(url.hostname, domains) !== 'on_record' || read.otherHosts.length > 0
  const reasons: ScanReason[] = isOtherHost ? [...read.reasons, 'other_host'] : read.reasons
  const isWhole = read.reasons.every((reason) => reason === 'charset_doubtful')
  const judged = judgePage(facts, reasons)
  const id = newId()
  await insertScan(
    tx.db,
    {
      tenant_id: tenantId,
      id,
      business_id: businessId,
      origin: 'supplied',
      url: shownUrl,
      requested_at: tx.at,
      requested_by: actorKey(tx.actor),
      job_id: null,
    },
    {
      state: isWhole ? 'complete' : 'incomplete',
      reasons: JSON.stringify(reasons),
      observed_at: capturedAt,
      ended_at: tx.at,
      scanner_version: SCANNER_VERSION,
      policy_version: policy.version,
      address_policy_version: ADDRESS_POLICY_VERSION,
      dns_policy_version: null,
      applied: JSON.stringify(policy.budgets),
      spent: JSON.stringify(spentOn(facts, ms)),
      expires_at: isWhole ? daysAfter(capturedAt, FRESH_DAYS) : tx.at,
      cache_status: 'not_cached',
      delete_after: daysAfter(tx.at, policy.retentionDays),
      emptied_at: null,
      evaluated_by: null,
    },
  )
  await insertPage(tx.db, {
    tenant_id: tenantId,
    scan_id: id,
    position: 0,
    url: shownUrl,
    role,
    outcome: isWhole ? 'read' : facts.counts === null ? 'not_read' : 'read_in_part',
    facts: JSON.stringify(judged.facts),
    class: judged.class,
    suspected: JSON.stringify(judged.suspected),
    reasons: JSON.stringify(reasons),
    retry_at: null,
  })
  await scanCounts.add(tx.db, { tenantId, at: tx.at }, 'supplied')
  await tx.record({
    subject: { type: 'scan', id },
    businessId,
    after: { origin: 'supplied', role, capturedAt, bytes: facts.bytes.decoded, sha256: facts.sha256, reasons },
  })
  return { id }
}

/** Requires that neither the record nor a value in the texts that would be stored is do not contact. Errors: `suppressed`. */
async function requireFree(tx: Tx, business: Business, texts: readonly string[]): Promise<void> {
  const message =
    'This prospect, or the host, the address or the title of the page, is marked do not contact, so its pages are not stored.'
  if (business.doNotContact !== null) throw new AppError('suppressed', message)
  const values = texts.map((value) => ({ kind: 'domain' as const, value }))
  await requireMayBeStored(tx, values, { message })
}

function spentOn({ bytes, counts }: PageFacts, ms: number): Spent {
  return { ms, pages: 1, redirects: 0, wireBytes: 0, decodedBytes: bytes.decoded, links: counts?.links ?? 0 }
}
