import { z } from 'zod'
import { text } from '../../../http/text.ts'
import type { Tx } from '../../../store/change/change.ts'
import { auditEventSchema, readBack } from '../../audit/audit.ts'
import { businessSchema, getBusiness, liftBlock } from '../../businesses/businesses.ts'
import { limits } from '../suppression.schema.ts'

export const liftBlockSchema = z.strictObject({ reason: text(limits.reasonLength) })
export const liftedBlockSchema = z
  .object({
    business: businessSchema,
    event: auditEventSchema.describe('The audit event of this removal, as it was read back.'),
  })
  .meta({ id: 'LiftedBlock' })

/**
 * Lifts a block that was made by hand, as an entry is removed: by somebody who may, with a reason, with the event read back.
 * Errors: `not_found`, `business_not_active`, `not_blocked_by_hand`.
 */
export async function liftBlockByHand(
  tx: Tx,
  businessId: string,
  reason: string,
): Promise<z.infer<typeof liftedBlockSchema>> {
  const { tenantId } = tx.actor
  const eventId = await liftBlock(tx, businessId, reason)
  return { business: await getBusiness(tx.db, tenantId, businessId), event: await readBack(tx.db, tenantId, eventId) }
}
