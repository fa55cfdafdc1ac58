import { requirePermission } from '../../../lib/actor.ts'
import { invalidField } from '../../../lib/app-error.ts'
import type { Tx, Unchanged } from '../../../store/change/change.ts'
import { blockBusiness, familyOf, getBusiness } from '../../businesses/businesses.ts'
import type { BlockBusiness, BlockedBusiness, Suppressed } from '../suppression.schema.ts'
import { addOrConfirmEntry } from './add-entry.ts'
import { isRefused, type ReadEntry } from './entry.rules.ts'
import { countMarked } from './match.queries.ts'
import { entriesFor, valuesOfFamily } from './values-of-record.ts'

/** A block, as it is stored with its Idempotency-Key. */
export type StoredBlock = Pick<BlockedBusiness, 'id' | 'suppressed'>

/**
 * Blocks a business manually and, in the same transaction, suppresses those of its contact values that the request names, so that every other record
 * with one of them is blocked too, and every later one. The values of records merged into it count as its own. The entries have the reason of the
 * block, the requester and the channel, and refer to the business. A value with an active entry adds the request to the history of the entry. A
 * business that is blocked already keeps its first reason. Errors: `not_found`, `business_not_active`, `permission_denied`, and `invalid_request` for
 * a missing channel, a value that the business does not have, or a value that would block nobody or everybody.
 */
export async function blockWithValues(
  tx: Tx,
  id: string,
  input: BlockBusiness,
): Promise<StoredBlock | Unchanged<StoredBlock>> {
  const blocked = await blockBusiness(tx, id, input.reason)
  const suppressed = await suppressValues(tx, id, input)
  return suppressed === undefined ? blocked : { id, suppressed }
}

/**
 * Suppresses those contact values of a business, of records merged into it and of their people that a request names. The entries have the reason of
 * the request, the requester and the channel, and refer to the business. Returns undefined if the request names none. Errors: `permission_denied`, and
 * `invalid_request` for a missing channel, a value that the business does not have, or a value that would block nobody or everybody.
 */
export async function suppressValues(
  tx: Tx,
  id: string,
  { reason, alsoSuppress, requestedBy, channel }: BlockBusiness,
): Promise<Suppressed | undefined> {
  if (alsoSuppress.length === 0) return undefined
  requirePermission(tx.actor, 'suppression.add')
  if (channel === null)
    throw invalidField(
      'channel',
      'required',
      'Choose how the request was received. The answer is stored with the entries.',
    )
  const { tenantId } = tx.actor
  const family = await familyOf(tx.db, tenantId, id)
  const entries = await readEntries(tx, family, alsoSuppress)
  const provenance = { reason, requestedBy, channel, reference: referenceTo(id) }
  const added: string[] = []
  for (const entry of entries) {
    const { id: suppressionId, created } = await addOrConfirmEntry(tx, entry, provenance, id)
    if (created) added.push(suppressionId)
  }
  return {
    added: added.length,
    repeated: entries.length - added.length,
    marked: added.length === 0 ? 0 : await countMarked(tx.db, tenantId, added, family),
  }
}

/** Returns the blocked business as it is now, with the effect of the request on suppressions. Errors: `not_found`. */
export async function getBlocked(
  db: Tx['db'],
  tenantId: string,
  { id, suppressed }: StoredBlock,
): Promise<BlockedBusiness> {
  const business = await getBusiness(db, tenantId, id)
  return suppressed === undefined ? business : { ...business, suppressed }
}

/** The reference of an entry that was added with the block of a business. */
function referenceTo(businessId: string): string {
  return `Prospect ${businessId}`
}

/** Returns one entry for each different key of the named values. A value is refused only if none of its rows can be read. */
async function readEntries(
  tx: Tx,
  family: readonly string[],
  named: BlockBusiness['alsoSuppress'],
): Promise<ReadEntry[]> {
  const texts = named.map(({ value }) => value)
  const { values } = await valuesOfFamily(tx.db, tx.actor.tenantId, family, { texts })
  const entries = new Map<string, ReadEntry>()
  for (const [index, { kind, value, scope }] of named.entries()) {
    const path = `alsoSuppress.${index}.value`
    const own = values.find((one) => one.kind === kind && one.value === value)
    if (own === undefined)
      throw invalidField(path, 'not_of_this_record', 'This prospect no longer has this value. Load the list again.')
    const read = entriesFor(own, scope)
    if (isRefused(read)) throw invalidField(path, read.code, read.message)
    for (const entry of read) entries.set(entry.key, entry)
  }
  return [...entries.values()]
}
