import { actorKey } from '../../lib/actor.ts'
import { AppError, invalidField } from '../../lib/app-error.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import { getBusiness, recordsAbove, refreshSearchText } from '../businesses/businesses.ts'
import { type Suppressed, suppressValues } from '../suppression/suppression.ts'
import { blockRows, COMPARED_VALUES, getPersonRow, selectValues } from './people.queries.ts'
import type { BlockPerson } from './people.schema.ts'

/** A block, as it is stored with its Idempotency-Key. */
export type StoredPersonBlock = { id: string; suppressed?: Suppressed }

/**
 * Marks a person do not contact, whatever the state of the business, and suppresses those of the person's values that the request names. Nothing lifts
 * the mark. The business itself is marked only through an entry that matches a value. A person who is marked already keeps the first reason. Errors:
 * `not_found`, `business_not_active` (the business was erased), `permission_denied`, and `invalid_request` for a value that the person does not have,
 * a missing channel, or a value that would block nobody or everybody.
 */
export async function blockPerson(
  tx: Tx,
  id: string,
  input: BlockPerson,
): Promise<StoredPersonBlock | Unchanged<StoredPersonBlock>> {
  const { tenantId } = tx.actor
  const row = await getPersonRow(tx.db, tenantId, id)
  const { business_id: businessId } = row
  if ((await getBusiness(tx.db, tenantId, businessId)).erasedAt !== null)
    throw new AppError('business_not_active', 'This record was erased, so it has no contact data.')
  await requireValuesOf(tx, { businessId, id }, input)
  const isNew = row.blocked_at === null
  if (!isNew && input.alsoSuppress.length === 0) return unchanged({ id })
  if (isNew) {
    const block = { blocked_at: tx.at, blocked_by: actorKey(tx.actor), blocked_reason: input.reason }
    const key = { tenantId, businessId, id }
    await blockRows(tx.db, key, { ...block, version: row.version + 1, updated_at: tx.at })
    for (const record of await recordsAbove(tx.db, tenantId, businessId)) await refreshSearchText(tx, record)
    await tx.record({
      subject: { type: 'person', id },
      businessId,
      before: { doNotContact: false },
      after: { doNotContact: true },
    })
  }
  const suppressed = await suppressValues(tx, businessId, input)
  return suppressed === undefined ? { id } : { id, suppressed }
}

/** Errors: `invalid_request`. */
async function requireValuesOf(
  tx: Tx,
  { businessId, id }: { businessId: string; id: string },
  { alsoSuppress }: BlockPerson,
): Promise<void> {
  const family = [businessId]
  const values = await selectValues(tx.db, { tenantId: tx.actor.tenantId, family, limit: COMPARED_VALUES })
  const own = values.filter((one) => one.person_id === id)
  for (const [index, { kind, value }] of alsoSuppress.entries()) {
    if (own.some((one) => one.kind === kind && one.original === value)) continue
    const message = 'This person no longer has this value. Load the person again.'
    throw invalidField(`alsoSuppress.${index}.value`, 'not_of_this_person', message)
  }
}
