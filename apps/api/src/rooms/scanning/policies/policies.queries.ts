import { actorRef } from '../../../lib/actor.ts'
import type { Db } from '../../../store/database.ts'
import { type Budgets, defaultBudgets, retentionBounds } from '../bounds.ts'
import type { ScanPolicyApprovalTable, ScanPolicyTable } from '../scanning.table.ts'
import { readBudgets } from '../scans/scans.schema.ts'
import type { ScanPolicy } from './policies.schema.ts'

/** `version` 0 denotes the built-in defaults, which apply until a version is approved. */
export type Policy = { version: number; budgets: Budgets; retentionDays: number }

const builtIn: Policy = { version: 0, budgets: defaultBudgets, retentionDays: retentionBounds.default }

/** Returns the newest approved version. */
export async function findCurrentPolicy(db: Db, tenantId: string): Promise<Policy> {
  const row = await db
    .selectFrom('scan_policies as p')
    .innerJoin('scan_policy_approvals as a', (join) =>
      join.onRef('a.tenant_id', '=', 'p.tenant_id').onRef('a.version', '=', 'p.version'),
    )
    .select(['p.version', 'p.bounds', 'p.retention_days'])
    .where('p.tenant_id', '=', tenantId)
    .orderBy('p.version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? builtIn : toPolicy(row)
}

/** Returns a version with its limits; version 0 is built in. */
export async function findPolicyVersion(db: Db, tenantId: string, version: number): Promise<Policy | undefined> {
  if (version === 0) return builtIn
  const row = await db
    .selectFrom('scan_policies')
    .select(['version', 'bounds', 'retention_days'])
    .where('tenant_id', '=', tenantId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row === undefined ? undefined : toPolicy(row)
}

function toPolicy(row: Pick<ScanPolicyTable, 'version' | 'bounds' | 'retention_days'>): Policy {
  return { version: row.version, budgets: readBudgets(row.bounds), retentionDays: row.retention_days }
}

export async function findNewestVersion(db: Db, tenantId: string): Promise<number> {
  const { newest } = await db
    .selectFrom('scan_policies')
    .select(({ fn }) => fn.max('version').as('newest'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return newest ?? 0
}

export async function insertPolicy(db: Db, policy: ScanPolicyTable): Promise<void> {
  await db.insertInto('scan_policies').values(policy).execute()
}

export async function insertApproval(db: Db, approval: ScanPolicyApprovalTable): Promise<void> {
  await db.insertInto('scan_policy_approvals').values(approval).execute()
}

/** Returns policies, newest first. */
export async function selectPolicies(
  db: Db,
  { tenantId, before, limit, id }: { tenantId: string; before?: number | undefined; limit: number; id?: string },
): Promise<ScanPolicy[]> {
  const current = (await findCurrentPolicy(db, tenantId)).version
  let query = db
    .selectFrom('scan_policies as p')
    .leftJoin('scan_policy_approvals as a', (join) =>
      join.onRef('a.tenant_id', '=', 'p.tenant_id').onRef('a.version', '=', 'p.version'),
    )
    .leftJoin('users as u', 'u.id', 'p.created_by')
    .leftJoin('users as b', 'b.id', 'a.actor')
    .selectAll('p')
    .select(['a.reason', 'a.at', 'a.actor', 'u.name as author_name', 'b.name as approver_name'])
    .where('p.tenant_id', '=', tenantId)
    .orderBy('p.version', 'desc')
    .limit(limit)
  if (before !== undefined) query = query.where('p.version', '<', before)
  if (id !== undefined) query = query.where('p.id', '=', id)
  return (await query.execute()).map((row) => ({
    id: row.id,
    version: row.version,
    basedOn: row.based_on,
    state: row.version === current ? 'current' : row.version < current ? 'superseded' : 'pending',
    bounds: readBudgets(row.bounds),
    retentionDays: row.retention_days,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.author_name),
    approval:
      row.at === null || row.actor === null || row.reason === null
        ? null
        : { at: row.at, by: actorRef(row.actor, row.approver_name), reason: row.reason },
  }))
}
