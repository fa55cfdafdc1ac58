import { actorKey } from '../../../lib/actor.ts'
import { AppError, namesNothing, notFound } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { withoutUndefined } from '../../../lib/map-values.ts'
import type { Tx } from '../../../store/change/change.ts'
import { requireOther } from '../../approvals/approvals.ts'
import {
  findCurrentPolicy,
  findNewestVersion,
  findPolicyVersion,
  insertApproval,
  insertPolicy,
  selectPolicies,
} from './policies.queries.ts'
import type { CreatePolicy, ScanPolicy } from './policies.schema.ts'

/** Saves a new version, which takes effect once another person approves it. Errors: `not_found` (basedOn). */
export async function createPolicy(tx: Tx, { basedOn, bounds, retentionDays }: CreatePolicy): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const base =
    basedOn == null ? await findCurrentPolicy(tx.db, tenantId) : await findPolicyVersion(tx.db, tenantId, basedOn)
  if (base === undefined) throw namesNothing('basedOn', 'There is no such version.')
  const given = withoutUndefined(bounds)
  const version = (await findNewestVersion(tx.db, tenantId)) + 1
  const id = newId()
  await insertPolicy(tx.db, {
    tenant_id: tenantId,
    id,
    version,
    based_on: base.version,
    bounds: JSON.stringify({ ...base.budgets, ...given }),
    retention_days: retentionDays,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  })
  await tx.record({
    subject: { type: 'scan_policy', id },
    after: { version, basedOn: base.version, bounds: given, retentionDays },
  })
  return { id }
}

/** Errors: `not_found`, `own_approval`, `policy_not_pending`. */
export async function approvePolicy(tx: Tx, id: string, reason: string): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const policy = await getPolicy(tx.db, tenantId, id)
  if (policy.state !== 'pending')
    throw new AppError(
      'policy_not_pending',
      `Version ${policy.version} is ${policy.state}. Only a newer version can be approved.`,
    )
  requireOther(tx.actor, { 'wrote this version': policy.createdBy })
  await insertApproval(tx.db, {
    tenant_id: tenantId,
    version: policy.version,
    reason,
    at: tx.at,
    actor: actorKey(tx.actor),
  })
  await tx.record({
    subject: { type: 'scan_policy', id },
    after: { version: policy.version },
    reason,
  })
  return { id }
}

/** Errors: `not_found`. */
export async function getPolicy(db: Tx['db'], tenantId: string, id: string): Promise<ScanPolicy> {
  const [policy] = await selectPolicies(db, { tenantId, limit: 1, id })
  if (policy === undefined) throw notFound()
  return policy
}
