import { requirePermission } from '../../lib/actor.ts'
import { isUnchanged, type Tx } from '../../store/change/change.ts'
import { blockWithValues, type StoredBlock } from '../suppression/suppression.ts'
import { requestChannels } from './interactions.rules.ts'
import type { RecordOptOut } from './interactions.schema.ts'
import { addInteraction } from './interactions.ts'

/**
 * Records an interaction in which a prospect asked not to be contacted, blocks the prospect and suppresses those of its values that the request names,
 * all in one transaction. The outcome of the interaction is `other`, because the vocabulary of outcomes has none for this. The interaction is recorded
 * before the block, because it was an ordinary contact. Returns the id of the interaction and the block. Errors: those of `addInteraction`
 * and of `blockWithValues`.
 */
export async function recordOptOut(
  tx: Tx,
  businessId: string,
  input: RecordOptOut,
): Promise<{ id: string; block: StoredBlock }> {
  requirePermission(tx.actor, 'businesses.block')
  const { reason, alsoSuppress, requestedBy, ...happened } = input
  const { id } = await addInteraction(tx, businessId, { ...happened, outcome: 'other' })
  const channel = requestChannels[input.channel]
  const blocked = await blockWithValues(tx, businessId, { reason, alsoSuppress, requestedBy, channel })
  return { id, block: isUnchanged(blocked) ? blocked.value : blocked }
}
