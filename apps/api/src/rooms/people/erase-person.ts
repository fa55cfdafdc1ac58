import { AppError } from '../../lib/app-error.ts'
import type { Tx } from '../../store/change/change.ts'
import { ERASED } from '../../store/change/empty-rows.ts'
import {
  insertTombstones,
  isBlockedAbove,
  recordsAbove,
  refreshSearchText,
  wholeFamilyOf,
} from '../businesses/businesses.ts'
import {
  COMPARED_PEOPLE,
  COMPARED_VALUES,
  getPersonRow,
  type PersonRow,
  selectNamed,
  selectValues,
  updatePerson,
} from './people.queries.ts'
import { keptAmong } from './people.rules.ts'
import { asTyped, writeValues } from './person-values.ts'

/** Numbers of what the erasure of a person emptied and suppressed. */
export type ErasedPeople = { people: number; tombstones: number }

/**
 * Erases a person with everybody joined with this person at the prospect: name, role, language, note, addresses and numbers. The rows stay, without
 * content, and so does a do-not-contact mark. The values of a person who is do not contact, by hand or with the business, and with `suppress` those of
 * any person, get tombstones first, so that nobody has them as contactable again. Errors: `not_found`, `conflict` (erased before).
 */
export async function erasePerson(
  tx: Tx,
  id: string,
  { reason, suppress }: { reason: string; suppress: boolean },
): Promise<ErasedPeople> {
  const { tenantId } = tx.actor
  const row = await getPersonRow(tx.db, tenantId, id)
  if (row.erased_at !== null) throw new AppError('conflict', 'This person was already erased.')
  const family = await wholeFamilyOf(tx.db, tenantId, row.business_id)
  const known = await selectNamed(tx.db, { tenantId, family, limit: COMPARED_PEOPLE })
  const keptOf = keptAmong(known)
  const same = known.filter((one) => keptOf(one.id) === keptOf(id) && !one.isErased)
  let tombstones = 0
  for (const one of same) tombstones += await eraseOne(tx, await getPersonRow(tx.db, tenantId, one.id), { suppress })
  const erased = { people: same.length, tombstones }
  await tx.record({ subject: { type: 'person', id }, businessId: row.business_id, after: erased, reason })
  return erased
}

/** Empties one person. Returns the number of tombstones. */
async function eraseOne(
  tx: Tx,
  { id, business_id: businessId, version, role, note, blocked_at, blocked_reason }: PersonRow,
  { suppress }: { suppress: boolean },
): Promise<number> {
  const { tenantId } = tx.actor
  const key = { tenantId, businessId, id }
  const rows = await selectValues(tx.db, { tenantId, family: [businessId], limit: COMPARED_VALUES })
  const values = rows.filter(({ person_id }) => person_id === id).map(asTyped)
  const isBlocked = blocked_at !== null || (await isBlockedAbove(tx.db, tenantId, businessId))
  const tombstones = suppress || isBlocked ? await insertTombstones(tx, businessId, values) : 0
  await writeValues(tx, key, { before: values, after: [], blockedAt: blocked_at })
  await updatePerson(tx.db, key, {
    name: ERASED,
    role: role === null ? null : ERASED,
    language: null,
    note: note === null ? null : ERASED,
    left_on: null,
    blocked_reason: blocked_reason === null ? null : ERASED,
    erased_at: tx.at,
    version: version + 1,
    updated_at: tx.at,
  })
  for (const record of await recordsAbove(tx.db, tenantId, businessId)) await refreshSearchText(tx, record)
  return tombstones
}
