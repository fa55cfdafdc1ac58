import { actorRef } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import type { Db } from '../../../store/database.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import { decisionOf } from '../../approvals/approvals.ts'
import type { AssistPolicyTable } from '../assist.table.ts'
import { type AssistPolicy, createPolicySchema } from './policies.schema.ts'
import { missingItems } from './policy.rules.ts'

const readContent = jsonColumn(createPolicySchema)

export async function insertPolicy(db: Db, row: AssistPolicyTable): Promise<void> {
  await db.insertInto('assist_policies').values(row).execute()
}

type Moved = Partial<
  Pick<
    AssistPolicyTable,
    'state' | 'submitted_at' | 'submitted_by' | 'decided_at' | 'decided_by' | 'decision_reason' | 'ends_at' | 'ended_at'
  >
>

export async function updatePolicy(db: Db, { tenantId, id }: { tenantId: string; id: string }, moved: Moved) {
  await db.updateTable('assist_policies').set(moved).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

export async function findNewestVersion(db: Db, tenantId: string): Promise<number> {
  const row = await db
    .selectFrom('assist_policies')
    .select('version')
    .where('tenant_id', '=', tenantId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.version ?? 0
}

function policies(db: Db, tenantId: string) {
  return db
    .selectFrom('assist_policies as p')
    .leftJoin('users as author', 'author.id', 'p.created_by')
    .leftJoin('users as sender', 'sender.id', 'p.submitted_by')
    .leftJoin('users as decider', 'decider.id', 'p.decided_by')
    .selectAll('p')
    .select(['author.name as author_name', 'sender.name as sender_name', 'decider.name as decider_name'])
    .where('p.tenant_id', '=', tenantId)
}

type Row = AssistPolicyTable & { author_name: string | null; sender_name: string | null; decider_name: string | null }

/** `at`: the moment as of which the state is computed. Errors: `not_found`. */
export async function getPolicy(db: Db, tenantId: string, id: string, at: string): Promise<AssistPolicy> {
  return toPolicy(await policies(db, tenantId).where('p.id', '=', id).executeTakeFirstOrThrow(notFound), at)
}

/** The approved version, also one whose end is reached and that no sweep has recorded yet. */
export async function findApproved(db: Db, tenantId: string, at: string): Promise<AssistPolicy | undefined> {
  const row = await policies(db, tenantId).where('p.state', '=', 'approved').executeTakeFirst()
  return row === undefined ? undefined : toPolicy(row, at)
}

/** Newest first. */
export async function selectPolicies(
  db: Db,
  { tenantId, before, limit, at }: { tenantId: string; before: number | undefined; limit: number; at: string },
): Promise<AssistPolicy[]> {
  const rows = await policies(db, tenantId)
    .$if(before !== undefined, (query) => query.where('p.version', '<', before ?? 0))
    .orderBy('p.version', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => toPolicy(row, at))
}

function toPolicy(row: Row, at: string): AssistPolicy {
  const content = readContent(row.content)
  const decision = decisionOf(row)
  return {
    id: row.id,
    version: row.version,
    ...content,
    missing: missingItems(content),
    state: row.state === 'approved' && row.ends_at !== null && row.ends_at <= at ? 'expired' : row.state,
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.author_name),
    submittedAt: row.submitted_at,
    submittedBy: row.submitted_by === null ? null : actorRef(row.submitted_by, row.sender_name),
    decision: decision && { ...decision, endsAt: row.ends_at },
  }
}
