import { type Cursors, type Page, toPage, totalOf } from '../../../http/pagination.ts'
import { type Actor, actorKey, actorRef, type UserActor } from '../../../lib/actor.ts'
import { AppError, namedIn } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import type { Store } from '../../../store/store.ts'
import { readBack } from '../../audit/audit.ts'
import {
  addIdentifier,
  findBlockedAbove,
  getActiveBusiness,
  getFamily,
  isBlockedAbove,
  markMatched,
} from '../../businesses/businesses.ts'
import { gate, insertEvidenceKeys } from '../../contact-gate/contact-gate.ts'
import {
  isFreeMailDomain,
  isSharedHost,
  readDomainName,
  SUFFIX_LIST_VERSION,
  unitOf,
  wholeHostOf,
} from '../../normalization/normalization.ts'
import { isSuppressed } from '../dns/observations.ts'
import { candidateQuota } from '../domains.quota.ts'
import { requireDomain } from '../names/require-domain.ts'
import { isWithheld } from '../names/withheld.ts'
import {
  type CandidateRow,
  getCandidateRow,
  insertAssociation,
  type KeptCandidate,
  listedStates,
  selectCandidates,
  selectCandidatesOf,
  selectNames,
  updateState,
} from './candidates.queries.ts'
import {
  type Candidate,
  type CandidateSummary,
  type CandidatesQuery,
  type Decision,
  type Evaluation,
  type FlagName,
  flagNames,
  type Proposal,
  readEvaluation,
} from './candidates.schema.ts'
import {
  beforeCounting,
  changedParts,
  type Evaluated,
  evaluate,
  type FingerprintPart,
  type Support,
} from './evaluate.rules.ts'
import { readRecords, selectNamesakes } from './facts.queries.ts'
import { isFollowerBehind } from './follow.queries.ts'
import { evaluationColumns, openCandidate, wantedOf } from './refresh-candidates.ts'
import { lookalikesOf, readSurroundings } from './surroundings.ts'
import { labelOfName, usesOf } from './wanted.rules.ts'

/*
 * Candidates and associations (specification, Phase 7 §5 to §6). A candidate means that a domain may belong to a business. A person accepts or
 * rejects it; the service never associates a domain without that decision.
 */

type Situation = { evaluated: Evaluated; isSupported: boolean }

/** Evaluates the candidate by the current facts and rules. */
async function evaluateNow(
  asker: Pick<Tx, 'db' | 'keys'>,
  tenantId: string,
  { businessId, domain, now, more = [] }: { businessId: string; domain: string; now: Date; more?: readonly Support[] },
): Promise<Situation> {
  const { db } = asker
  const [record] = await readRecords(db, tenantId, [businessId])
  const kept = await selectCandidatesOf(db, { tenantId, ids: [businessId] })
  const label = record === undefined ? null : labelOfName(record.facts.name)
  const namesakes = await selectNamesakes(db, tenantId, label === null ? [] : [label])
  const supports = record === undefined ? [] : (wantedOf(record, namesakes, kept).supports.get(domain) ?? [])
  const doNotContact = (await isSuppressed(asker, tenantId, domain)) || (await isBlockedAbove(db, tenantId, businessId))
  const around = await readSurroundings(db, { tenantId, businessId, domain }, { doNotContact, now })
  const all = [...supports, ...more]
  return { evaluated: evaluate(all, around), isSupported: all.length > 0 }
}

/**
 * Proposes a domain for a business. Errors: `domain_not_resolvable`, `free_mail_domain`, `not_found`, `business_not_active`, `conflict` (the record
 * has the domain, or a candidate for it is open or accepted).
 */
export async function proposeCandidate(
  tx: Tx,
  { domain: typed, businessId, reason }: Proposal,
): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { domain } = requireDomain(typed, 'domain')
  if (isFreeMailDomain(domain)) {
    const what = isSharedHost(domain) ? 'a page' : 'a mailbox'
    throw new AppError(
      'free_mail_domain',
      `Anybody can have ${what} at ${domain}, so the domain belongs to no business.`,
    )
  }
  const business = await namedIn('businessId', 'There is no such prospect.', getActiveBusiness(tx, businessId))
  const used = usesOf({ domains: business.domains.flatMap(({ normalized }) => normalized ?? []), emails: [] })
  if (used.has(domain)) throw new AppError('conflict', `The record of ${business.name} already has this domain.`)
  const kept = (await selectCandidatesOf(tx.db, { tenantId, ids: [businessId] })).filter((one) => one.domain === domain)
  requireNoOther(kept, businessId)
  await requireRoom(tx, candidateQuota)
  const support: Support = { code: 'person', reason, at: tx.at }
  const { evaluated } = await evaluateNow(tx, tenantId, { businessId, domain, now: new Date(tx.at), more: [support] })
  const id = await openCandidate(
    tx,
    { businessId, domain, host: wholeHostOf(typed), reason, previousId: kept[0]?.id ?? null },
    evaluated,
  )
  const { band, fingerprint } = evaluated
  await tx.record({ subject: { type: 'domain_candidate', id }, businessId, after: { band, fingerprint }, reason })
  return { id }
}

function requireNoOther(kept: readonly KeptCandidate[], businessId: string): void {
  const other = kept.find(
    ({ state, business_id: id }) => state === 'accepted' || (state === 'open' && id === businessId),
  )
  if (other === undefined) return
  const what = other.state === 'open' ? 'waits for a decision' : 'was accepted'
  throw new AppError('conflict', `This domain already ${what} for this prospect, as the suggestion ${other.id}.`)
}

const partWords: Record<FingerprintPart, string> = {
  evidence: 'The evidence for or against the domain changed.',
  flags: 'The warnings changed.',
  versions: 'The rules or the suffix list changed.',
  suppression: 'The do-not-contact mark changed.',
}

/**
 * Accepts or rejects the candidate in the version that the person saw. The association and the optional edit of the record are part of the same
 * change. Errors: `not_found`, `business_not_active`, `candidate_not_open`, `candidate_changed` with the parts that changed, `conflict` (the record
 * has the maximum number of domains).
 */
export async function decideCandidate(
  tx: Tx,
  id: string,
  { decision, reason, fingerprint: seen, addToRecord = false }: Decision,
): Promise<{ id: string; eventId: string }> {
  const { tenantId } = tx.actor
  const row = await getCandidateRow(tx.db, tenantId, id)
  const { business_id: businessId, domain } = row
  if (row.state !== 'open')
    throw new AppError('candidate_not_open', `This suggestion is ${row.state} and no longer waits for a decision.`)
  await getActiveBusiness(tx, businessId)
  const { evaluated, isSupported } = await evaluateNow(tx, tenantId, { businessId, domain, now: new Date(tx.at) })
  const changed = isSupported ? changedParts(seen, evaluated.fingerprint) : ['evidence' as const]
  if (changed.length > 0)
    throw new AppError('candidate_changed', 'This suggestion changed after you opened it. Check it again.', {
      errors: changed.map((part) => ({ path: 'fingerprint', code: part, message: partWords[part] })),
    })
  const state = decision === 'accept' ? 'accepted' : 'rejected'
  await updateState(tx.db, tenantId, id, {
    ...evaluationColumns(evaluated, tx.at),
    state,
    decided_at: tx.at,
    decided_by: actorKey(tx.actor),
    decision_reason: reason,
  })
  if (decision === 'accept') await associate(tx, row, addToRecord)
  const eventId = await tx.record({
    action: decision === 'accept' ? 'domain_candidate.accept' : 'domain_candidate.reject',
    subject: { type: 'domain_candidate', id },
    businessId,
    before: { state: 'open' },
    after: {
      state,
      band: evaluated.band,
      fingerprint: evaluated.fingerprint,
      suffixListVersion: SUFFIX_LIST_VERSION,
      addedToRecord: addToRecord,
    },
    reason,
  })
  return { id, eventId }
}

/** Stores the accepted domain as a contact value of the business, so that a suppression of the domain marks the business. */
async function associate(
  tx: Tx,
  { candidate_id, business_id, domain }: CandidateRow,
  addToRecord: boolean,
): Promise<void> {
  const { tenantId } = tx.actor
  await insertAssociation(tx.db, {
    tenant_id: tenantId,
    id: newId(),
    business_id,
    domain,
    candidate_id,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  })
  const value = { kind: 'domain' as const, value: domain }
  await insertEvidenceKeys(tx, business_id, value)
  await markMatched(tx, business_id, await gate(tx, tenantId, [value]))
  if (addToRecord) await addIdentifier(tx, business_id, value)
}

/**
 * Ends an accepted association. A domain that was added to the record remains in the record. Errors: `not_found`, `candidate_not_open` (the candidate
 * was not accepted).
 */
export async function withdrawCandidate(tx: Tx, id: string, reason: string): Promise<{ id: string; eventId: string }> {
  const row = await getCandidateRow(tx.db, tx.actor.tenantId, id)
  if (row.state !== 'accepted')
    throw new AppError(
      'candidate_not_open',
      `This suggestion is ${row.state}. Only an accepted domain can be withdrawn.`,
    )
  await updateState(tx.db, tx.actor.tenantId, id, {
    state: 'withdrawn',
    withdrawn_at: tx.at,
    withdrawn_by: actorKey(tx.actor),
    withdrawal_reason: reason,
  })
  const eventId = await tx.record({
    subject: { type: 'domain_candidate', id },
    businessId: row.business_id,
    before: { state: 'accepted' },
    after: { state: 'withdrawn' },
    reason,
  })
  return { id, eventId }
}

/**
 * Returns a page of candidates, newest first. A domain that the reader may not see has none. Errors: `invalid_request` (the cursor),
 * `not_found` (the business), `domain_not_resolvable`.
 */
export async function listCandidates(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  { limit, cursor, state, domain: named, businessId }: CandidatesQuery,
): Promise<Page<CandidateSummary>> {
  const { tenantId } = reader
  const domain = named === undefined ? undefined : requireDomain(named, 'domain').domain
  const binding = ['domain-candidates', tenantId, state, domain ?? '', businessId ?? '']
  const [before] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const page = { before: before === undefined ? undefined : String(before), limit: limit + 1 }
  const businessIds = businessId === undefined ? undefined : await getFamily(store.reader, tenantId, businessId)
  const isHidden = domain !== undefined && (await isWithheld(store, reader, domain))
  const rows = isHidden ? [] : await selectCandidates(store.reader, tenantId, { state, domain, businessIds }, page)
  const marked = await markedIn(store, tenantId, rows)
  return toPage({
    rows,
    limit,
    total: await totalOf(store, { tenantId, rows, limit, cursor }, (db) =>
      listedStates(db, tenantId, { state, domain, businessIds }),
    ),
    toItem: (row) => toSummary(row, marked.has(row.candidate_id)),
    cursorAfter: ({ candidate_id: id }) => cursors.encode(binding, [id]),
  })
}

/** Returns the ids of candidates whose domain is suppressed, or whose business or its survivor is do not contact. */
async function markedIn(store: Store, tenantId: string, rows: readonly CandidateRow[]): Promise<Set<string>> {
  const values = rows.map(({ domain }) => ({ kind: 'domain' as const, value: domain }))
  const matches = await gate({ db: store.reader, keys: store.keys }, tenantId, values)
  const marked = new Set(matches.flatMap(({ index }) => rows[index]?.candidate_id ?? []))
  const blocked = await findBlockedAbove(
    store.reader,
    tenantId,
    rows.map(({ business_id: businessId }) => businessId),
  )
  for (const { candidate_id: id, business_id: businessId } of rows) if (blocked.has(businessId)) marked.add(id)
  return marked
}

function evaluationOf({ evaluation }: Pick<CandidateRow, 'evaluation'>): Evaluation {
  return readEvaluation(evaluation)
}

function toSummary(row: CandidateRow, doNotContact: boolean): CandidateSummary {
  const { flags } = evaluationOf(row)
  return {
    id: row.candidate_id,
    domain: row.domain,
    host: row.host,
    business: businessOf(row),
    origin: row.origin,
    state: row.state,
    band: row.band,
    doNotContact,
    previousCandidateId: row.previous_id,
    createdAt: row.created_at,
    flags: flagNames.filter((name: FlagName) => ['yes', 'likely'].includes(flags[name].value)),
  }
}

function businessOf(row: CandidateRow): CandidateSummary['business'] {
  return {
    id: row.business_id,
    name: row.business_name,
    status: row.business_status,
    doNotContact: row.business_blocked === 1,
  }
}

/** Returns a candidate. An open one has its current evaluation, a decided one the evaluation at its decision. Errors: `not_found`. */
export async function getCandidate(store: Store, reader: Actor, id: string): Promise<Candidate> {
  const { tenantId } = reader
  const asker = { db: store.reader, keys: store.keys }
  const row = await getCandidateRow(store.reader, tenantId, id)
  const { business_id: businessId, domain } = row
  const now = store.clock()
  const situation = row.state === 'open' ? await evaluateNow(asker, tenantId, { businessId, domain, now }) : undefined
  const present = situation?.isSupported === true ? evaluationColumns(situation.evaluated, now.toISOString()) : row
  const matched = await isSuppressed(asker, tenantId, domain)
  const doNotContact = matched || (await isBlockedAbove(store.reader, tenantId, businessId))
  const lookalikes = await lookalikesOf(store.reader, tenantId, domain)
  const isCurrent = row.state !== 'open' || !(await isFollowerBehind(store.reader, tenantId))
  const candidate = toCandidate(row, present, { doNotContact, matched, lookalikes, isCurrent })
  const { against } = candidate.evidence
  candidate.otherBusinesses = await selectNames(
    store.reader,
    tenantId,
    against.flatMap(({ businessId: other }) => other ?? []),
  )
  return candidate
}

function toCandidate(
  row: CandidateRow,
  present: ReturnType<typeof evaluationColumns>,
  {
    doNotContact,
    matched,
    lookalikes,
    isCurrent,
  }: { doNotContact: boolean; matched: boolean; isCurrent: boolean; lookalikes: Candidate['lookalikes'] },
): Candidate {
  const evaluation = evaluationOf(present)
  const reading = readDomainName(row.domain)
  const { decided_at: decidedAt, decided_by: decidedBy, decision_reason: decisionReason } = row
  const { withdrawn_at: withdrawnAt, withdrawn_by: withdrawnBy, withdrawal_reason: withdrawalReason } = row
  return {
    id: row.candidate_id,
    domain: row.domain,
    host: row.host,
    business: businessOf(row),
    origin: row.origin,
    state: row.state,
    band: present.band,
    previousCandidateId: row.previous_id,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
    reason: row.reason,
    ...evaluation,
    flags: isCurrent ? evaluation.flags : beforeCounting(evaluation.flags),
    isCurrent,
    doNotContact,
    algorithmVersion: present.algorithm_version,
    normalizationVersion: present.normalization_version,
    suffixListVersion: present.suffix_list_version,
    currentSuffixList: {
      version: SUFFIX_LIST_VERSION,
      domain: unitOf(reading),
      reason: reading.reason,
      isSame: unitOf(reading) === row.domain,
    },
    evaluatedAt: present.evaluated_at,
    fingerprint: present.fingerprint,
    otherBusinesses: [],
    lookalikes,
    wouldMark:
      row.state === 'open' && matched && row.business_blocked === 0
        ? [{ id: row.business_id, name: row.business_name }]
        : [],
    decision:
      decidedAt === null || decidedBy === null || decisionReason === null
        ? null
        : {
            decision: row.state === 'rejected' ? 'reject' : 'accept',
            at: decidedAt,
            by: actorRef(decidedBy, row.decider_name),
            reason: decisionReason,
          },
    withdrawal:
      withdrawnAt === null || withdrawnBy === null || withdrawalReason === null
        ? null
        : { at: withdrawnAt, by: actorRef(withdrawnBy, row.withdrawer_name), reason: withdrawalReason },
  }
}

/** Returns a decided candidate with the audit event of its decision. */
export async function getDecided(store: Store, reader: UserActor, { id, eventId }: { id: string; eventId: string }) {
  return {
    candidate: await getCandidate(store, reader, id),
    event: await readBack(store.reader, reader.tenantId, eventId),
  }
}
