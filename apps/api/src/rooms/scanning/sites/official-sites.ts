import type { Cursors, Page } from '../../../http/pagination.ts'
import { MAX_COUNTED, MAX_WALKED, newestFirst } from '../../../http/pagination.ts'
import { readVisibleRows } from '../../../http/visible-rows.ts'
import { actorKey, isBy, type UserActor } from '../../../lib/actor.ts'
import { AppError, invalidField, notFound } from '../../../lib/app-error.ts'
import { daysAfter } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { numeral } from '../../../lib/numeral.ts'
import { requireSeen } from '../../../lib/seen.ts'
import type { Tx } from '../../../store/change/change.ts'
import { countWanted } from '../../../store/engine/count-up-to.ts'
import type { Store } from '../../../store/store.ts'
import { requireEnd, requireOther } from '../../approvals/approvals.ts'
import { type Business, familyOf, getActiveBusiness, getBusiness } from '../../businesses/businesses.ts'
import { requireMayBeStored } from '../../contact-gate/contact-gate.ts'
import { acceptedDomainsOf } from '../../domains/domains.ts'
import { ANSWER_DAYS } from '../../room.ts'
import { isUnder, readPageUrl } from '../pages/page-urls.rules.ts'
import { domainsOnRecord, kindOfHost } from './record-hosts.ts'
import { siteParts, withState } from './site-state.ts'
import {
  findApprovedSite,
  findSite,
  insertDecision,
  insertSite,
  markedAnswers,
  markedProposals,
  type StoredSite,
  selectSites,
  selectSitesOfHosts,
  sitesOf,
} from './sites.queries.ts'
import { type DecideSite, type OfficialSite, type ProposeSite, siteLimits } from './sites.schema.ts'

/*
 * Official sites (specification, Phase 9 §1, §2): hosts that belong to a prospect. A person proposes a host from the record, and a manager decides
 * about the state that they saw. Decisions are append-only; the end of an approval is a decision too.
 */

/**
 * With `domainCandidateId`, the host is proposed from a domain that was accepted for the record. Errors: `not_found`, `business_not_active`, `suppressed`,
 * `shared_host`, `host_not_on_record`, `conflict` (proposed or approved already), `invalid_request`.
 */
export async function proposeSite(
  tx: Tx,
  businessId: string,
  { host: typed, domainCandidateId }: ProposeSite,
): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const business = await getActiveBusiness(tx, businessId)
  const host = hostFrom(typed)
  await requireUsable(tx, business, host)
  if (domainCandidateId !== undefined) await requireAccepted(tx, businessId, { host, domainCandidateId })
  const open = (await selectSitesOfHosts(tx.db, { tenantId, hosts: [host], now: tx.at })).find(
    (site) => site.businessId === businessId && (site.state === 'proposed' || site.state === 'approved'),
  )
  if (open !== undefined) throw new AppError('conflict', `This host is already ${open.state} for this prospect.`)
  const id = newId()
  const origin = domainCandidateId === undefined ? 'person' : 'domain_association'
  await insertSite(tx.db, {
    tenant_id: tenantId,
    id,
    business_id: businessId,
    host,
    origin,
    domain_candidate_id: domainCandidateId ?? null,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  })
  await tx.record({ subject: { type: 'official_site', id }, businessId, after: { origin } })
  return { id }
}

/** Errors: `not_found` (not an accepted domain of this record), `host_not_on_record` (the host lies outside of it). */
async function requireAccepted(
  tx: Tx,
  businessId: string,
  { host, domainCandidateId }: { host: string; domainCandidateId: string },
): Promise<void> {
  const accepted = await acceptedDomainsOf(tx.db, tx.actor.tenantId, businessId)
  const association = accepted.find(({ candidateId }) => candidateId === domainCandidateId)
  if (association === undefined) throw notFound()
  if (!isUnder(host, [association.domain]))
    throw new AppError(
      'host_not_on_record',
      'This host does not belong to the accepted domain. Propose a host of this domain.',
    )
}

/** Accepts a URL and returns its host. */
function hostFrom(typed: string): string {
  const text = typed.trim()
  const url = readPageUrl(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (url === undefined)
    throw invalidField('host', 'invalid_value', 'Enter a website address, such as www.karoo.co.za.')
  return url.hostname
}

/** Errors: `suppressed`, `shared_host`, `host_not_on_record`. */
async function requireUsable(tx: Tx, business: Business, host: string): Promise<void> {
  const message = 'This prospect or this host is marked do not contact.'
  if (business.doNotContact !== null) throw new AppError('suppressed', message)
  await requireMayBeStored(tx, [{ kind: 'domain', value: host }], { message })
  requireOnRecord(await domainsOnRecord(tx.db, tx.actor.tenantId, business), host)
}

/** Errors: `shared_host`, `host_not_on_record`. */
export function requireOnRecord(domains: readonly string[], host: string): void {
  switch (kindOfHost(host, domains)) {
    case 'on_record':
      return
    case 'shared':
      throw new AppError('shared_host', 'Anybody can have a page at this host, so it identifies no prospect.')
    case 'other':
      throw new AppError(
        'host_not_on_record',
        'This host does not belong to a domain of this prospect. Add the domain to the record first.',
      )
  }
}

/**
 * Decides about a site in the state that the person saw. Errors: `not_found`, `site_changed` (names what changed), `conflict` (wrong state for this
 * decision), `own_approval`, `confirmation_required`, `business_not_active`, `suppressed`, `shared_host`, `host_not_on_record`, `invalid_request` (validUntil).
 */
export async function decideSite(tx: Tx, siteId: string, input: DecideSite): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { decision, reason, confirmUsedByOthers } = input
  const found = await findSite(tx.db, { tenantId, id: siteId, now: tx.at })
  const [site] = await withState(tx.db, tenantId, found === undefined ? [] : [found], tx.at)
  if (site === undefined) throw notFound()
  requireSeen(input.fingerprint, site.fingerprint, {
    code: 'site_changed',
    what: 'site',
    sentences: Object.values(siteParts),
  })
  requireState(site, decision)
  const validUntil =
    decision === 'approve'
      ? await requireEnd(tx, input.validUntil, { field: 'validUntil', days: siteLimits.days })
      : null
  if (decision === 'approve') {
    requireOther(tx.actor, { 'proposed this site': site.proposedBy })
    await requireUsable(tx, await getActiveBusiness(tx, site.businessId), site.host ?? '')
    if (site.usedByOthers > 0 && !confirmUsedByOthers)
      throw new AppError(
        'confirmation_required',
        `${numeral(site.usedByOthers)} other prospects have this host. Confirm that the site belongs to this prospect.`,
      )
  }
  await insertDecision(tx.db, {
    tenant_id: tenantId,
    id: newId(),
    site_id: siteId,
    decision,
    reason,
    fingerprint: site.fingerprint,
    valid_until: validUntil,
    at: tx.at,
    actor: actorKey(tx.actor),
  })
  await tx.record({
    subject: { type: 'official_site', id: siteId },
    businessId: site.businessId,
    before: { state: site.state },
    after: { decision, validUntil, usedByOthers: site.usedByOthers },
    reason,
  })
  return { id: siteId }
}

function requireState({ state }: StoredSite, decision: DecideSite['decision']): void {
  const wanted = decision === 'withdraw' ? 'approved' : 'proposed'
  if (state !== wanted)
    throw new AppError('conflict', `This site is ${state}; only one that is ${wanted} can be decided so.`)
}

/** Returns one site. Errors: `not_found`. */
export async function getSite(store: Store, reader: UserActor, id: string): Promise<OfficialSite> {
  const { tenantId } = reader
  const now = store.clock().toISOString()
  const site = await findSite(store.reader, { tenantId, id, now })
  const [shown] = await toSites(store, tenantId, site === undefined ? [] : [site], now)
  if (shown === undefined) throw notFound()
  return shown
}

/**
 * Returns a page of sites of the workspace, or of one prospect and the records merged into it, newest first. `state` selects from those of the
 * workspace. Errors: `not_found`, `invalid_request` (the cursor).
 */
export async function listSites(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  { businessId, state, ...query }: SiteFilter & { limit: number; cursor?: string | undefined },
): Promise<Page<OfficialSite>> {
  const { tenantId } = reader
  if (businessId !== undefined) await getBusiness(store.reader, tenantId, businessId)
  const businessIds = businessId === undefined ? undefined : await familyOf(store.reader, tenantId, businessId)
  const now = store.clock().toISOString()
  const answers = answersTo(reader.userId, now)
  const isWanted = (site: StoredSite) =>
    state === undefined || (state === 'proposed' ? isToDecide(site) : isAnswer(site, reader, answers.since))
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['official-sites', tenantId, businessId ?? '', ...(state === undefined ? [] : [state])],
    query,
    fetch: async (before, limit) => {
      const { rows, stoppedAfter } = await readVisibleRows<StoredSite>(
        {
          read: (last, size) =>
            selectSites(store.reader, { tenantId, businessIds, before: last?.id ?? before, limit: size, now }),
          onlyVisible: async (read) => read.filter(isWanted),
        },
        limit,
      )
      return { rows: await toSites(store, tenantId, rows, now), stoppedAfter }
    },
    count: (db) => {
      if (state === undefined) return sitesOf(db, { tenantId, businessIds })
      const marked = state === 'proposed' ? markedProposals(db, tenantId) : markedAnswers(db, tenantId, answers)
      return countWanted(db, marked, { limit: MAX_COUNTED, maxWalked: MAX_WALKED })
    },
    toItem: (site) => site,
  })
}

type SiteFilter = { businessId?: string; state?: 'proposed' | 'answered' | undefined }

/** The condition of `markedProposals`. */
function isToDecide({ state, host }: StoredSite): boolean {
  return state === 'proposed' && host !== null
}

/** The answers that a person sees: those of the last days to their own proposals. */
export const answersTo = (userId: string, now: string): { to: string; since: string } => ({
  to: userId,
  since: daysAfter(new Date(now), -ANSWER_DAYS),
})

/** The condition of `markedAnswers`, of a site whose approval has not ended. */
function isAnswer(
  { state, host, proposedBy, decidedBy, decidedAt }: StoredSite,
  reader: UserActor,
  since: string,
): boolean {
  if (host === null || decidedBy === null || decidedAt === null || decidedAt < since) return false
  return (state === 'approved' || state === 'rejected') && isBy(proposedBy, reader) && !isBy(decidedBy, reader)
}

async function toSites(
  store: Store,
  tenantId: string,
  sites: readonly StoredSite[],
  now: string,
): Promise<OfficialSite[]> {
  const found = await withState(store.reader, tenantId, sites, now)
  return found.map(({ decisionId: _decisionId, ...site }) => ({ ...site, valuesHidden: false }))
}

export type SiteOfRecord = { id: string; host: string; state: OfficialSite['state'] }

/** Returns the sites of a prospect and of the records merged into it, newest first, for rooms that read their pages. */
export async function sitesOfRecord(
  db: Store['reader'],
  { tenantId, businessId, now }: { tenantId: string; businessId: string; now: string },
): Promise<SiteOfRecord[]> {
  const businessIds = await familyOf(db, tenantId, businessId)
  const ofRecord: SiteOfRecord[] = []
  // Read all sites: a page of an approved site may be read however many sites were proposed since.
  for (let before: string | undefined; ; ) {
    const sites = await selectSites(db, { tenantId, businessIds, before, limit: SITES_AT_ONCE, now })
    for (const { id, host, state } of sites) if (host !== null) ofRecord.push({ id, host, state })
    if (sites.length < SITES_AT_ONCE) return ofRecord
    before = sites.at(-1)?.id
  }
}

/** Whether a prospect of the tenant has an approved, unexpired site. */
export async function hasApprovedSite(db: Store['reader'], tenantId: string, now: string): Promise<boolean> {
  return (await findApprovedSite(db, tenantId, now)) !== undefined
}

const SITES_AT_ONCE = 200
