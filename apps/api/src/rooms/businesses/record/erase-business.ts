import type { Tx } from '../../../store/change/change.ts'
import { deleteRecordKeys } from '../../contact-gate/contact-gate.ts'
import { getStoredRecord, tagsOf } from '../family/merge-records.ts'
import { indexRecord } from '../search/index-record.ts'
import { indexAtOnce } from '../search/index-text.sqlite.ts'
import { factColumnsOf } from './facts.ts'
import { nameKey, replaceTags } from './write-business.ts'

/** The name of an erased record. */
const ERASED_NAME = 'Erased record'
/** Text that replaces an erased text in a required column. The triggers of append-only tables accept no other text. */
export const ERASED = 'Erased.'
const ERASED_REASON = 'The record was erased.'

/**
 * Erases the content of these records: names, identifiers, address, tags and search text. The rows, their states and their do-not-contact status
 * remain. An active record becomes inactive. Called by the erasure room after it has recorded the erasure.
 */
export async function eraseBusinesses(tx: Tx, ids: readonly string[]): Promise<void> {
  const { tenantId } = tx.actor
  for (const id of ids) {
    const { business } = await getStoredRecord(tx.db, tenantId, id)
    await replaceTags(tx, id, tagsOf(business), [])
    await tx.db
      .updateTable('businesses')
      .set({
        ...factColumnsOf({ name: ERASED_NAME }),
        name_key: nameKey(ERASED_NAME),
        name_stands_in: 0,
        province_code: null,
        tags: '[]',
        assignee_id: null,
        primary_email: null,
        primary_phone: null,
        primary_phone_normalized: null,
        primary_domain: null,
        blocked_reason: business.blocked_reason === null ? null : ERASED_REASON,
        deactivated_at: null,
        deactivated_by: null,
        status: business.status === 'active' ? 'inactive' : business.status,
        version: business.version + 1,
        updated_at: tx.at,
      })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
    await tx.db
      .deleteFrom('business_identifiers')
      .where('tenant_id', '=', tenantId)
      .where('business_id', '=', id)
      .execute()
    await deleteRecordKeys(tx, id)
    const erased = { name: ERASED_NAME, tradingName: null, registrationNumber: null, identifiers: [], merged: [] }
    await indexRecord(tx, id, erased)
  }
  indexAtOnce(tx)
}
