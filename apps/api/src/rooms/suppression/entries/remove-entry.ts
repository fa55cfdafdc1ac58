import { AppError } from '../../../lib/app-error.ts'
import type { Tx } from '../../../store/change/change.ts'
import { readBack } from '../../audit/audit.ts'
import { freeByEntry } from '../../businesses/businesses.ts'
import { endEntry, insertHistory } from '../../contact-gate/contact-gate.ts'
import { getSuppression } from '../suppression.queries.ts'
import type { RemovedSuppression } from '../suppression.schema.ts'

/**
 * Ends an entry with a reason (specification, States: Suppression), and returns the id of the audit event. No other function ends an entry. The entry, its keys and its history stay. Its businesses may be contacted again, unless another entry matches them or a
 * person blocked them by hand. The database refuses to unmark a business that an active entry matches. Errors: `not_found`, `suppression_ended`.
 */
export async function removeSuppression(tx: Tx, id: string, reason: string): Promise<StoredRemoval> {
  const { tenantId } = tx.actor
  const before = await getSuppression(tx.db, tenantId, id, tx.at)
  if (before.status !== 'active') {
    throw new AppError('suppression_ended', 'This entry was already removed. Its history shows who removed it and why.')
  }
  await endEntry(tx, id, reason)
  const freed = await freeByEntry(tx, id)
  await insertHistory(tx, id, { action: 'removed', reason, records: freed })
  const eventId = await tx.record({
    subject: { type: 'suppression', id },
    before: { status: 'active' },
    after: { status: 'removed', businessesHeld: freed },
    reason,
  })
  return { id, freed, eventId }
}

/** A removal, as it is stored with its Idempotency-Key. */
type StoredRemoval = { id: string; freed: number; eventId: string }

/** Returns the removed entry and the audit event of its removal, both as read back. Errors: `not_found`. */
export async function getRemoved(
  db: Tx['db'],
  { tenantId, at }: { tenantId: string; at: string },
  { id, freed, eventId }: StoredRemoval,
): Promise<RemovedSuppression> {
  return {
    suppression: await getSuppression(db, tenantId, id, at),
    freed,
    event: await readBack(db, tenantId, eventId),
  }
}
