import { sql } from 'kysely'
import { z } from 'zod'
import { type ActorRef, actorRef } from '../../../lib/actor.ts'
import type { DueAt } from '../../../store/change/sweep.ts'
import type { Db } from '../../../store/database.ts'
import { alongIndex, inList } from '../../../store/engine/dialect.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import type {
  AssistExchangeTable,
  AssistPurpose,
  AssistResultTable,
  AssistSuggestionTable,
  SuggestionState,
} from '../assist.table.ts'
import type { Claim } from './claims.ts'
import {
  claimsSchema,
  type Result,
  resultSchema,
  type SuggestionUsage,
  usageSchema,
  type Versions,
  versionsSchema,
} from './suggestions.schema.ts'

export type EvidenceRef = { evidenceId: string; hash: string }

const readEvidence = jsonColumn(z.array(z.object({ evidenceId: z.string(), hash: z.string() })))
const readClaims = jsonColumn(claimsSchema)
const readResult = jsonColumn(resultSchema)
const readVersions = jsonColumn(versionsSchema)
const readUsage = jsonColumn(usageSchema)

/** A suggestion as it is stored; its state may be out of date. */
export type StoredSuggestion = {
  id: string
  businessId: string
  purpose: AssistPurpose
  jobId: string
  policyId: string
  evidence: EvidenceRef[]
  evidenceHash: string
  contentHash: string
  requestedAt: string
  requestedBy: ActorRef
  state: SuggestionState
  stateReason: { code: string; since: string | null; subject: string | null } | null
  result: Result | null
  claims: Claim[]
  fingerprint: string | null
  versions: Versions | null
  sourceId: string | null
  fallbackUsed: boolean
  usage: SuggestionUsage | null
  proposedAt: string | null
  decision: { reason: string; by: ActorRef; at: string; auditEventId: string } | null
  /** what a person decided; the state may have moved on since */
  decided: 'approve' | 'reject' | null
}

export async function insertSuggestion(
  db: Db,
  request: AssistSuggestionTable,
  result: AssistResultTable,
): Promise<void> {
  await db.insertInto('assist_suggestions').values(request).execute()
  await db.insertInto('assist_results').values(result).execute()
}

type Key = { tenantId: string; id: string }

export async function updateResult(
  db: Db,
  { tenantId, id }: Key,
  changed: Partial<Omit<AssistResultTable, 'tenant_id' | 'suggestion_id'>>,
): Promise<void> {
  await db
    .updateTable('assist_results')
    .set(changed)
    .where('tenant_id', '=', tenantId)
    .where('suggestion_id', '=', id)
    .execute()
}

function suggestions(db: Db, tenantId: string) {
  return db
    .selectFrom('assist_suggestions as s')
    .innerJoin('assist_results as r', (join) =>
      join.onRef('r.tenant_id', '=', 's.tenant_id').onRef('r.suggestion_id', '=', 's.id'),
    )
    .leftJoin('users as requester', 'requester.id', 's.requested_by')
    .leftJoin('users as decider', 'decider.id', 'r.decided_by')
    .selectAll('s')
    .selectAll('r')
    .select(['requester.name as requester_name', 'decider.name as decider_name'])
    .where('s.tenant_id', '=', tenantId)
}

type Row = AssistSuggestionTable & AssistResultTable & { requester_name: string | null; decider_name: string | null }

export async function findStored(db: Db, { tenantId, id }: Key): Promise<StoredSuggestion | undefined> {
  const row = await suggestions(db, tenantId).where('s.id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toStored(row)
}

export type SuggestionFilter = {
  businessIds?: readonly string[] | undefined
  purpose?: AssistPurpose | undefined
  state?: SuggestionState | undefined
}

/** Newest first. */
export async function selectStored(
  db: Db,
  tenantId: string,
  { before, limit, ...filter }: SuggestionFilter & { before: string | undefined; limit: number },
): Promise<StoredSuggestion[]> {
  const rows = await matchingSuggestions(db, tenantId, filter)
    .$if(before !== undefined, (query) => query.where('s.id', '<', before ?? ''))
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toStored)
}

/** Selects the suggestions that a list shows on all its pages. */
export function matchingSuggestions(db: Db, tenantId: string, { businessIds, purpose, state }: SuggestionFilter) {
  let query = suggestions(db, tenantId)
  if (businessIds !== undefined) query = query.where('s.business_id', 'in', businessIds)
  if (purpose !== undefined) query = query.where('s.purpose', '=', purpose)
  if (state !== undefined) query = query.where('r.state', '=', state)
  return query
}

/** The condition of the index `assist_results_open`, which the planner recognizes in this form only. */
const isInOpenIndex = sql<boolean>`(r.state = 'queued' OR r.state = 'running' OR r.state = 'proposed' OR r.state = 'approved')`

/** Selects proposals of other people than `notBy` that were proposed after this time, by the index of open suggestions. */
export function selectProposals(db: Db, tenantId: string, { notBy, after }: { notBy: string; after: string }) {
  return db
    .selectFrom(sql<AssistResultTable>`assist_results`.as<'r'>(sql`r ${alongIndex('assist_results_open')}`))
    .innerJoin('assist_suggestions as s', (join) =>
      join.onRef('s.tenant_id', '=', 'r.tenant_id').onRef('s.id', '=', 'r.suggestion_id'),
    )
    .select('s.id')
    .where('r.tenant_id', '=', tenantId)
    .where(isInOpenIndex)
    .where('r.state', '=', 'proposed')
    .where('r.proposed_at', '>', after)
    .where('s.requested_by', '<>', notBy)
}

/** Selects proposed and approved suggestions. */
function openSuggestions(db: Db, tenantId: string) {
  return suggestions(db, tenantId)
    .where('r.tenant_id', '=', tenantId)
    .where(isInOpenIndex)
    .where('r.state', 'in', ['proposed', 'approved'])
}

/** Proposed and approved suggestions after this id, oldest first. */
export async function selectOpen(db: Db, tenantId: string, after: string, limit: number): Promise<StoredSuggestion[]> {
  const rows = await openSuggestions(db, tenantId)
    .where('r.suggestion_id', '>', after)
    .orderBy('r.suggestion_id')
    .limit(limit)
    .execute()
  return rows.map(toStored)
}

/** Proposed and approved suggestions of these records. */
export async function selectOpenOf(
  db: Db,
  tenantId: string,
  businessIds: readonly string[],
): Promise<StoredSuggestion[]> {
  const rows = await suggestions(db, tenantId)
    .where('s.business_id', 'in', inList(businessIds))
    .where('r.state', 'in', ['proposed', 'approved'])
    .execute()
  return rows.map(toStored)
}

type Outlived = { proposedUntil: string; approvedUntil: string; after: string; limit: number }

/** Suggestions after this id that were proposed, or approved, until these times, oldest first. */
export async function selectOutlived(
  db: Db,
  tenantId: string,
  { proposedUntil, approvedUntil, after, limit }: Outlived,
): Promise<StoredSuggestion[]> {
  const rows = await openSuggestions(db, tenantId)
    .where((eb) =>
      eb.or([
        eb('r.state', '=', 'proposed').and('r.proposed_at', '<=', proposedUntil),
        eb('r.state', '=', 'approved').and('r.decided_at', '<=', approvedUntil),
      ]),
    )
    .where('r.suggestion_id', '>', after)
    .orderBy('r.suggestion_id')
    .limit(limit)
    .execute()
  return rows.map(toStored)
}

/** Returns the jobs of queued and running suggestions. */
export async function selectOpenJobs(db: Db, tenantId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('assist_results as r')
    .innerJoin('assist_suggestions as s', (join) =>
      join.onRef('s.tenant_id', '=', 'r.tenant_id').onRef('s.id', '=', 'r.suggestion_id'),
    )
    .select('s.job_id')
    .where('r.tenant_id', '=', tenantId)
    .where('r.state', 'in', ['queued', 'running'])
    .orderBy('s.id')
    .limit(limit)
    .execute()
  return rows.map(({ job_id }) => job_id)
}

function toStored(row: Row): StoredSuggestion {
  const { decided_at: at, decided_by: by, decision_reason: reason, decision_event_id: auditEventId } = row
  const isDecided = at !== null && by !== null && reason !== null && auditEventId !== null
  return {
    id: row.id,
    businessId: row.business_id,
    purpose: row.purpose,
    jobId: row.job_id,
    policyId: row.policy_id,
    evidence: readEvidence(row.evidence),
    evidenceHash: row.evidence_hash,
    contentHash: row.content_hash,
    requestedAt: row.requested_at,
    requestedBy: actorRef(row.requested_by, row.requester_name),
    state: row.state,
    stateReason:
      row.state_code === null ? null : { code: row.state_code, since: row.state_since, subject: row.state_subject },
    result: row.result === null ? null : readResult(row.result),
    claims: readClaims(row.claims),
    fingerprint: row.fingerprint,
    versions: row.versions === null ? null : readVersions(row.versions),
    sourceId: row.source_id,
    fallbackUsed: row.fallback_used === 1,
    usage: row.usage === null ? null : readUsage(row.usage),
    proposedAt: row.proposed_at,
    decision: isDecided ? { reason, by: actorRef(by, row.decider_name), at, auditEventId } : null,
    decided: isDecided ? (row.state === 'rejected' ? 'reject' : 'approve') : null,
  }
}

export async function insertExchange(db: Db, row: AssistExchangeTable): Promise<void> {
  await db.insertInto('assist_exchanges').values(row).execute()
}

export async function selectExchanges(db: Db, { tenantId, id }: Key): Promise<AssistExchangeTable[]> {
  return db
    .selectFrom('assist_exchanges')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('suggestion_id', '=', id)
    .orderBy('id')
    .limit(MAX_EXCHANGES)
    .execute()
}

/** Two requests at most, each with its answer. */
const MAX_EXCHANGES = 4

/** Returns exchanges past their retention period. */
export async function selectDueExchanges(db: Db, { tenantId, now, limit }: DueAt): Promise<string[]> {
  const rows = await db
    .selectFrom('assist_exchanges')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('body', 'is not', null)
    .where('delete_after', '<=', now)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
