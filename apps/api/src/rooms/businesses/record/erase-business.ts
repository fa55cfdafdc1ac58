import type { Tx } from '../../../store/change/change.ts'
import { deleteRecordKeys } from '../../contact-gate/contact-gate.ts'
import { getStoredRecord, tagsOf } from '../family/merge-records.ts'
import { indexAtOnce, indexText } from '../search/index-text.sqlite.ts'
import { nameKey, replaceTags } from './write-business.ts'

/** What a record is called of which nothing is left. */
const ERASED_NAME = 'Erased record'
/** Replaces an erased text where there must be one. The triggers of append-only tables accept nothing else. */
export const ERASED = 'Erased.'
const ERASED_REASON = 'The record was erased.'

/**
 * Takes from these records all that they say of anybody: names, identifiers, address, tags, and the text by which they are found. What
 * stays is that they were, in which state, and whether they were do not contact. One that is active ends. For the erasure room, which
 * has written down that they are erased.
 */
export async function eraseBusinesses(tx: Tx, ids: readonly string[]): Promise<void> {
  const { tenantId } = tx.actor
  for (const id of ids) {
    const { business } = await getStoredRecord(tx.db, tenantId, id)
    await replaceTags(tx, id, tagsOf(business), [])
    await tx.db
      .updateTable('businesses')
      .set({
        name: ERASED_NAME,
        name_key: nameKey(ERASED_NAME),
        trading_name: null,
        registration_number: null,
        industry: null,
        street: null,
        suburb: null,
        city: null,
        province: null,
        province_code: null,
        postal_code: null,
        country: null,
        tags: '[]',
        assignee_id: null,
        primary_email: null,
        primary_phone: null,
        primary_domain: null,
        blocked_reason: business.blocked_reason === null ? null : ERASED_REASON,
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
    await indexText(tx, id, erased)
  }
  indexAtOnce(tx)
}
