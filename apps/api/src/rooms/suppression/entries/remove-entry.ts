import { AppError } from '../../../lib/app-error.ts'
import type { Tx } from '../../../store/change/change.ts'
import { readBack } from '../../audit/audit.ts'
import { freeByEntry } from '../../businesses/businesses.ts'
import { endEntry, insertHistory } from '../../contact-gate/contact-gate.ts'
import { getSuppression } from '../suppression.queries.ts'
import type { RemovedSuppression } from '../suppression.schema.ts'

/**
 * Ends an entry (specification, States: Suppression): the one way out, by somebody who may, with a reason, and with the audit event
 * read back in the same transaction. Entry, keys and history stay. A business is free from here on only if no other entry matches it
 * and nobody blocked it by hand; the database holds the code to that.
 * Errors: `not_found`, `suppression_ended`.
 */
export async function removeSuppression(tx: Tx, id: string, reason: string): Promise<RemovedSuppression> {
  const { tenantId } = tx.actor
  const before = await getSuppression(tx.db, tenantId, id, tx.at)
  if (before.status !== 'active') {
    throw new AppError('suppression_ended', 'This entry was removed already. Its history says by whom and why.')
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
  return {
    suppression: await getSuppression(tx.db, tenantId, id, tx.at),
    freed,
    event: await readBack(tx.db, tenantId, eventId),
  }
}
