import { actorKey } from '../../lib/actor.ts'
import { AppError, invalidField } from '../../lib/app-error.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import { getBusiness, recordsAbove, refreshSearchText, wholeFamilyOf } from '../businesses/businesses.ts'
import { type Suppressed, suppressValues } from '../suppression/suppression.ts'
import {
  blockRows,
  COMPARED_PEOPLE,
  COMPARED_VALUES,
  getPersonRow,
  type PersonRow,
  selectJoinedInto,
  selectNamed,
  selectValues,
  updatePerson,
} from './people.queries.ts'
import { keptAmong } from './people.rules.ts'
import type { BlockPerson } from './people.schema.ts'

/** A block, as it is stored with its Idempotency-Key. */
export type StoredPersonBlock = { id: string; suppressed?: Suppressed }

/**
 * Marks a person do not contact, with everybody joined with this person, whatever the state of the business, and suppresses those of the person's values that the request names. Nothing lifts
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
  if (row.erased_at !== null) throw new AppError('conflict', 'This person was erased.')
  await requireValuesOf(tx, { businessId, id }, input)
  const isNew = row.blocked_at === null
  if (!isNew && input.alsoSuppress.length === 0) return unchanged({ id })
  if (isNew) {
    const block = { at: tx.at, by: actorKey(tx.actor), reason: input.reason }
    await markJoined(tx, row, block)
  }
  const suppressed = await suppressValues(tx, businessId, input)
  return suppressed === undefined ? { id } : { id, suppressed }
}

/**
 * Marks this person do not contact, and all others who were joined with this one at the prospect. A link to a person of another prospect, from which a
 * reversed merge separated this one, ends, so that a later merge does not bring marked and unmarked people together as one person.
 */
export async function markJoined(
  tx: Tx,
  row: PersonRow,
  block: { at: string; by: string; reason: string },
): Promise<void> {
  const { tenantId } = tx.actor
  const family = await wholeFamilyOf(tx.db, tenantId, row.business_id)
  const known = await selectNamed(tx.db, { tenantId, family, limit: COMPARED_PEOPLE })
  const keptOf = keptAmong(known)
  const here = new Set(known.map(({ id }) => id))
  for (const { id } of known.filter((one) => keptOf(one.id) === keptOf(row.id))) {
    const one = await getPersonRow(tx.db, tenantId, id)
    const links = [one, ...(await selectJoinedInto(tx.db, tenantId, id))].filter(
      (linked) => !here.has(linked.id) || (linked.joined_into !== null && !here.has(linked.joined_into)),
    )
    for (const linked of links) await endLink(tx, linked)
    await markPerson(tx, await getPersonRow(tx.db, tenantId, id), { ...block, ...(id !== row.id && { from: row.id }) })
  }
}

/** Ends the link of a person to the one with whom it was joined. */
export async function endLink(tx: Tx, { id, business_id: businessId, version, joined_into }: PersonRow): Promise<void> {
  const key = { tenantId: tx.actor.tenantId, businessId, id }
  await updatePerson(tx.db, key, { joined_into: null, version: version + 1, updated_at: tx.at })
  await tx.record({
    action: 'person.separate',
    subject: { type: 'person', id },
    businessId,
    before: { joinedInto: joined_into },
    after: { joinedInto: null },
  })
}

/** Marks one person with the values of that person. A person who is marked already keeps the first mark. `from`: the person with whom the mark came. */
async function markPerson(
  tx: Tx,
  { id, business_id: businessId, version, blocked_at }: PersonRow,
  { from, ...block }: { at: string; by: string; reason: string; from?: string },
): Promise<void> {
  if (blocked_at !== null) return
  const { tenantId } = tx.actor
  await blockRows(
    tx.db,
    { tenantId, businessId, id },
    {
      blocked_at: block.at,
      blocked_by: block.by,
      blocked_reason: block.reason,
      version: version + 1,
      updated_at: tx.at,
    },
  )
  for (const record of await recordsAbove(tx.db, tenantId, businessId)) await refreshSearchText(tx, record)
  await tx.record({
    action: 'person.block',
    subject: { type: 'person', id },
    businessId,
    before: { doNotContact: false },
    after: { doNotContact: true, ...(from === undefined ? {} : { joinedWith: from }) },
  })
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
