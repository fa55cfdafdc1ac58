import { sql } from 'kysely'
import { actorRef, isBy, type UserActor } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import type { DueAt } from '../../../store/change/sweep.ts'
import type { Db } from '../../../store/database.ts'
import { jsonField } from '../../../store/engine/dialect.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import { decisionOf } from '../../approvals/approvals.ts'
import type { Channel, DraftPolicyTable, PolicyState } from '../drafts.table.ts'
import { limits } from '../limits.ts'
import { type Policy, type PolicyContent, policyContentSchema } from './policies.schema.ts'

const readContent = jsonColumn(policyContentSchema)

/** The policy of a jurisdiction and a channel that is in force, unless it has expired. */
export type PolicyInForce = PolicyContent & {
  id: string
  name: string
  jurisdiction: string
  channel: Channel
  endsAt: string
}

export type PolicyRow = DraftPolicyTable & {
  proposer_name: string | null
  decider_name: string | null
  owner_name: string | null
}

export function nameOfPolicy({
  jurisdiction,
  channel,
  number,
}: Pick<DraftPolicyTable, 'jurisdiction' | 'channel' | 'number'>): string {
  return `${jurisdiction}/${channel}/${number}`
}

function policiesWithNames(db: Db) {
  return db
    .selectFrom('draft_policies as p')
    .leftJoin('users as proposer', 'proposer.id', 'p.proposed_by')
    .leftJoin('users as decider', 'decider.id', 'p.decided_by')
    .leftJoin('users as owner', 'owner.id', 'p.owner_id')
    .selectAll('p')
    .select(['proposer.name as proposer_name', 'decider.name as decider_name', 'owner.name as owner_name'])
}

/** Errors: `not_found`. */
export function getPolicyRow(db: Db, tenantId: string, id: string): Promise<PolicyRow> {
  return policiesWithNames(db)
    .where('p.tenant_id', '=', tenantId)
    .where('p.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

type PolicyFilter = { tenantId: string; state: PolicyState | undefined; jurisdiction: string | undefined }

export function policiesOf(db: Db, { tenantId, state, jurisdiction }: PolicyFilter) {
  return policiesWithNames(db)
    .where('p.tenant_id', '=', tenantId)
    .$if(state !== undefined, (query) => query.where('p.state', '=', state ?? 'proposed'))
    .$if(jurisdiction !== undefined, (query) => query.where('p.jurisdiction', '=', jurisdiction ?? ''))
}

/** Newest first. */
export function selectPolicies(
  db: Db,
  wanted: PolicyFilter & { before: string | undefined; limit: number },
): Promise<PolicyRow[]> {
  const { before, limit } = wanted
  return policiesOf(db, wanted)
    .$if(before !== undefined, (query) => query.where('p.id', '<', before ?? ''))
    .orderBy('p.id', 'desc')
    .limit(limit)
    .execute()
}

export async function findPolicyInForce(
  db: Db,
  { tenantId, jurisdiction, channel }: { tenantId: string; jurisdiction: string; channel: Channel },
): Promise<PolicyInForce | null> {
  const row = await db
    .selectFrom('draft_policies')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('jurisdiction', '=', jurisdiction)
    .where('channel', '=', channel)
    .where('state', '=', sql.lit('approved'))
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    ...readContent(row.content),
    id: row.id,
    name: nameOfPolicy(row),
    jurisdiction,
    channel,
    endsAt: row.ends_at,
  }
}

export async function findNewestNumber(
  db: Db,
  { tenantId, jurisdiction, channel }: { tenantId: string; jurisdiction: string; channel: Channel },
): Promise<number> {
  const { newest } = await db
    .selectFrom('draft_policies')
    .select(({ fn }) => fn.max('number').as('newest'))
    .where('tenant_id', '=', tenantId)
    .where('jurisdiction', '=', jurisdiction)
    .where('channel', '=', channel)
    .executeTakeFirstOrThrow()
  return newest ?? 0
}

/** A policy in force whose sources were to be compared with the law by a day that has passed. */
type DueReview = { tenantId: string; policy: string; reviewBy: string }

/** Returns the due reviews of all tenants for the probe, the longest overdue first, up to a limit. */
export async function watchPolicyReviews(db: Db, now: string): Promise<DueReview[]> {
  const reviewBy = jsonField<string>(sql.ref('content'), 'reviewBy')
  const rows = await db
    .selectFrom('draft_policies')
    .select(['tenant_id', 'jurisdiction', 'channel', 'number', reviewBy.as('review_by')])
    .where('state', '=', sql.lit('approved'))
    .where('ends_at', '>', now)
    .where(reviewBy, '<', now.slice(0, 10))
    .orderBy(reviewBy)
    .limit(limits.policyReviewsWatched)
    .execute()
  return rows.map((row) => ({ tenantId: row.tenant_id, policy: nameOfPolicy(row), reviewBy: row.review_by }))
}

/** Approved policies that ended by this time. */
export function selectExpiredPolicies(db: Db, { tenantId, now, limit }: DueAt): Promise<DraftPolicyTable[]> {
  return db
    .selectFrom('draft_policies')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('state', '=', sql.lit('approved'))
    .where('ends_at', '<=', now)
    .limit(limit)
    .execute()
}

export async function insertPolicy(db: Db, row: DraftPolicyTable): Promise<void> {
  await db.insertInto('draft_policies').values(row).execute()
}

export async function updatePolicy(
  db: Db,
  { tenant_id, id }: Pick<DraftPolicyTable, 'tenant_id' | 'id'>,
  columns: Partial<Pick<DraftPolicyTable, 'state' | 'decided_at' | 'decided_by' | 'reason'>>,
): Promise<void> {
  await db.updateTable('draft_policies').set(columns).where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
}

/** `now`: an approved policy whose end was reached is shown as expired before the follower has stored it. */
export function toPolicy(row: PolicyRow, reader: UserActor, now: string): Policy {
  const proposedBy = actorRef(row.proposed_by, row.proposer_name)
  return {
    id: row.id,
    version: row.number,
    name: nameOfPolicy(row),
    jurisdiction: row.jurisdiction,
    channel: row.channel,
    ...readContent(row.content),
    owner: { id: row.owner_id, name: row.owner_name ?? '' },
    endsAt: row.ends_at,
    state: row.state === 'approved' && row.ends_at <= now ? 'expired' : row.state,
    proposedAt: row.proposed_at,
    proposedBy,
    decision: decisionOf({ ...row, decision_reason: row.reason }),
    mayDecide:
      row.state === 'proposed' &&
      row.ends_at > now &&
      !isBy(proposedBy, reader) &&
      reader.permissions.has('drafts.approve'),
  }
}
