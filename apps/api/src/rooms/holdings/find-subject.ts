import { AppError } from '../../lib/app-error.ts'
import { unique } from '../../lib/unique.ts'
import type { Db } from '../../store/database.ts'
import { heldIn, ownersOfValue } from '../../store/held-rows.ts'
import { getBusiness, wholeFamilyOf } from '../businesses/businesses.ts'
import {
  entryKey,
  entryKeysFor,
  findBusinessesWithKeys,
  recordKeyRanges,
  recordKeysOf,
} from '../contact-gate/contact-gate.ts'
import type { HeldValue, HoldingRoom } from '../held.ts'
import { limits } from './holdings.schema.ts'
import type { HoldingTable } from './holdings.table.ts'
import { regionsOf } from './redact-others.rules.ts'

/** The records that a collection is about, and the value if it is about one. */
export type Subject = { businessIds: string[]; value: HeldValue | null; text: string }

/** Returns what a collection is about. Errors: `not_found`, `too_large` (too many records have the value). */
export async function findSubject(db: Db, rooms: readonly HoldingRoom[], row: HoldingTable): Promise<Subject> {
  const { tenant_id: tenantId, business_id: businessId, value_kind: kind, value, value_normalized: normalized } = row
  if (businessId !== null) {
    const { name } = await getBusiness(db, tenantId, businessId)
    return { businessIds: await wholeFamilyOf(db, tenantId, businessId), value: null, text: name }
  }
  if (kind === null || value === null || normalized === null)
    throw new AppError('holding_gone', 'The value of this collection was deleted. Collect it again.')
  const sought = { kind, normalized }
  const holders = await findHolders(db, rooms, tenantId, sought)
  const ids = new Set<string>()
  for (const holder of holders) for (const one of await wholeFamilyOf(db, tenantId, holder)) ids.add(one)
  return { businessIds: [...ids], value: sought, text: value }
}

/** Returns the records that have the value, in their own values or their evidence, and those that a table connects with it. */
async function findHolders(
  db: Db,
  rooms: readonly HoldingRoom[],
  tenantId: string,
  { kind, normalized }: HeldValue,
): Promise<string[]> {
  const limit = limits.records + 1
  const ranges = recordKeyRanges(entryKey(kind, normalized, 'exact'))
  const found = await findBusinessesWithKeys(db, { tenantId, ranges, limit })
  for (const { holds = {} } of rooms)
    for (const [table, { valued }] of heldIn(holds)) {
      if (valued === undefined) continue
      const { rows } = await ownersOfValue(table, valued, { tenantId, normalized, limit }).execute(db)
      found.push(...rows.map(({ business_id: id }) => id))
    }
  const ids = unique(found)
  if (ids.length > limits.records)
    throw new AppError(
      'too_large',
      `More than ${limits.records} records have this value. Collect what is held about each prospect.`,
    )
  return ids
}

/** Returns a function that is true for a text in which the value occurs in any spelling. */
export function mentionOf(value: HeldValue): (text: string) => boolean {
  const key = entryKey(value.kind, value.normalized, 'exact')
  const regions = regionsOf(value)
  return (text) =>
    regions.some((region) =>
      recordKeysOf({ kind: 'domain', value: text, region }).some((one) => entryKeysFor(one).includes(key)),
    )
}
