import { actorKey } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import { getBusiness } from '../businesses.queries.ts'
import type { Business } from '../businesses.schema.ts'
import { getActiveBusiness } from './business-state.ts'

/** Period, in hours, in which the creator of a record may deactivate it without the manager's permission. */
const OWN_RECORD_HOURS = 24
const HOUR_MS = 3_600_000

/**
 * Deactivates a record that was created by mistake. Lists, board, matching and counts then omit the record, and it cannot be edited. Its history and
 * its do-not-contact status stay unchanged. Errors: `not_found`, `business_not_active`, `permission_denied` (the record was created by another person
 * or too long ago, and the actor lacks `businesses.deactivate_any`).
 */
export async function deactivateBusiness(tx: Tx, id: string, reason: string): Promise<{ id: string }> {
  const business = await getActiveBusiness(tx, id)
  requireAllowed(tx, business)
  return setActive(tx, business, false, reason)
}

/** Makes a deactivated record active again; an active record stays unchanged. Errors: as `deactivateBusiness`. */
export async function reactivateBusiness(
  tx: Tx,
  id: string,
  reason: string,
): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const business = await getBusiness(tx.db, tx.actor.tenantId, id)
  if (business.status === 'active') return unchanged({ id })
  if (business.deactivatedAt === null) {
    throw new AppError(
      'business_not_active',
      business.status === 'merged'
        ? 'This record was merged into another record. Undo the merge instead.'
        : 'This record was erased and cannot be restored.',
    )
  }
  requireAllowed(tx, business)
  return setActive(tx, business, true, reason)
}

function requireAllowed({ actor, at }: Tx, { createdAt, createdBy }: Business): void {
  if (actor.permissions.has('businesses.deactivate_any')) return
  const isOwn = createdBy.kind === 'user' && actor.kind === 'user' && createdBy.id === actor.userId
  const age = Date.parse(at) - Date.parse(createdAt)
  if (isOwn && age <= OWN_RECORD_HOURS * HOUR_MS) return
  throw new AppError(
    'permission_denied',
    `You can deactivate only records that you created in the last ${OWN_RECORD_HOURS} hours. Ask a manager to deactivate this record.`,
  )
}

async function setActive(tx: Tx, business: Business, isActive: boolean, reason: string): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { id, version } = business
  const [before, after] = isActive ? (['inactive', 'active'] as const) : (['active', 'inactive'] as const)
  await tx.db
    .updateTable('businesses')
    .set({
      status: after,
      deactivated_at: isActive ? null : tx.at,
      deactivated_by: isActive ? null : actorKey(tx.actor),
      version: version + 1,
      updated_at: tx.at,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  await tx.record({
    subject: { type: 'business', id },
    businessId: id,
    before: { status: before },
    after: { status: after },
    reason,
  })
  return { id }
}
