import type { Outcome } from '../../../lib/interaction-outcome.ts'
import type { Tx } from '../../../store/change/change.ts'

/** Time and outcome of the last interaction with a record and its open follow-up date, as the interactions room derives them. */
export type LastContact = { at: string | null; outcome: Outcome | null; followUpOn: string | null }

/**
 * Stores the last contact of a record and returns the record that it was merged into, or null. Version and `updated_at` do not change, because an
 * interaction is not an edit of the record.
 */
export async function setLastContact(
  tx: Tx,
  id: string,
  { at, outcome, followUpOn }: LastContact,
): Promise<string | null> {
  const row = await tx.db
    .updateTable('businesses')
    .set({ last_interaction_at: at, last_outcome: outcome, follow_up_on: followUpOn })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', id)
    .returning('merged_into')
    .executeTakeFirst()
  return row?.merged_into ?? null
}
