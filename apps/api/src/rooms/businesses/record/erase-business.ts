import type { Tx } from '../../../store/change/change.ts'
import { changeTime, nextNumber, stateInstead, textInstead } from '../../../store/change/empty-rows.ts'
import { deleteRecordKeys } from '../../contact-gate/contact-gate.ts'
import type { ErasedTables } from '../../room.ts'
import { getStoredRecord, tagsOf } from '../family/merge-records.ts'
import { indexRecord } from '../search/index-record.ts'
import { indexAtOnce } from '../search/index-text.sqlite.ts'
import { factColumnsOf } from './facts.ts'
import { nameKey, replaceTags } from './write-business.ts'

/** The name of an erased record. */
const ERASED_NAME = 'Erased record'

/**
 * Erases names, identifiers and the address of a record. The row, its state and its do-not-contact status remain. An active record becomes
 * inactive.
 */
export const erasedTables: ErasedTables = {
  businesses: {
    by: 'id',
    set: {
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
      doubts: 0,
      has_person: 0,
      blocked_reason: textInstead('The record was erased.'),
      deactivated_at: null,
      deactivated_by: null,
      status: stateInstead(['active'], 'inactive'),
      version: nextNumber,
      updated_at: changeTime,
    },
  },
  business_identifiers: { by: 'business_id', deletes: true },
}

/** Deletes the rows that are derived from these records: tags, search text, and keys of the gate. */
export async function eraseDerived(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { business } = await getStoredRecord(tx.db, tx.actor.tenantId, id)
    await replaceTags(tx, id, tagsOf(business), [])
    await deleteRecordKeys(tx, id)
    const erased = { name: ERASED_NAME, tradingName: null, registrationNumber: null, identifiers: [], merged: [] }
    await indexRecord(tx, id, erased)
  }
  indexAtOnce(tx)
}
