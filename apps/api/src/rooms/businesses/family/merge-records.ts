import { sql } from 'kysely'
import { notFound } from '../../../lib/app-error.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Db } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { readTexts } from '../../../store/json-column.ts'
import { type GateMatch, gate, recordKeysOf, replaceRecordKeys } from '../../contact-gate/contact-gate.ts'
import { getBusiness } from '../businesses.queries.ts'
import type { BusinessIdentifierTable, BusinessTable } from '../businesses.table.ts'
import { doubtsOf } from '../record/doubts.ts'
import type { FactColumn } from '../record/facts.ts'
import { primaries, replaceTags, writeIdentifiers } from '../record/write-business.ts'
import { type FurtherTexts, furtherTextsOf } from '../search/further-texts.ts'
import { indexRecord } from '../search/index-record.ts'
import type { SearchTx } from '../search/index-text.sqlite.ts'
import type { Named } from '../search/search-text.rules.ts'
import { MAX_FAMILY } from './max-family.ts'

/*
 * Changes of business rows by merges and reversals, for the matching room only. A merge only links the records. Children of the merged business are
 * not rewritten, because the survivor reads them through the link.
 */

/** Columns that contain a record's content. The other columns contain state or times, or are derived by triggers. */
export type MergedColumns = Pick<
  BusinessTable,
  | FactColumn
  | 'name_key'
  | 'province_code'
  | 'tags'
  | 'assignee_id'
  | 'primary_email'
  | 'primary_phone'
  | 'primary_domain'
  | 'pipeline_state'
  | 'state_before_pause'
  | 'has_evidence'
  | 'normalization_version'
>

export type IdentifierRecord = Omit<BusinessIdentifierTable, 'tenant_id' | 'business_id'>

/** A stored business: its whole row, and its identifiers in their stored order. */
export type StoredRecord = { business: BusinessTable; identifiers: IdentifierRecord[] }

const mergedRows = prepared<{ tenantId: string; ids: readonly string[]; limit: number }>()(
  (_db, param) => sql<{ id: string; into: string }>`
    SELECT b.id, b.merged_into AS "into" FROM ${elementsOf(param('ids'), 'wanted')} ${thenJoin} businesses b
      ON b.tenant_id = ${param('tenantId')} AND b.merged_into = wanted.value
    LIMIT ${param('limit')}`,
)

/**
 * Returns the business itself first, followed by all businesses merged into it, directly or indirectly. For an unmerged business this takes one
 * query.
 */
export async function familyOf(db: Db, tenantId: string, id: string): Promise<string[]> {
  return (await familiesOf(db, tenantId, [id])).get(id) ?? [id]
}

/** Returns the ids of a business and of all records that it was merged into, in this order. Errors: `not_found`. */
export async function recordsAbove(db: Db, tenantId: string, id: string): Promise<[string, ...string[]]> {
  const ids: [string, ...string[]] = [id]
  for (let top = id; ids.length <= MAX_FAMILY; ) {
    const { mergedInto } = await getBusiness(db, tenantId, top)
    if (mergedInto === null) break
    ids.push(mergedInto)
    top = mergedInto
  }
  return ids
}

/** `familyOf` for the last of the records that a business was merged into. Errors: `not_found`. */
export async function wholeFamilyOf(db: Db, tenantId: string, id: string): Promise<string[]> {
  return familyOf(db, tenantId, (await recordsAbove(db, tenantId, id)).at(-1) ?? id)
}

/** `familyOf` for each business of a page. It takes one query for each level of merges. */
export async function familiesOf(
  db: Db,
  tenantId: string,
  businessIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const ids = new Set(businessIds)
  const mergedInto = new Map<string, string[]>()
  for (let level = ids; level.size > 0; ) {
    const rows = await mergedRows(db, { tenantId, ids: [...level], limit: ids.size * MAX_FAMILY })
    for (const id of level) mergedInto.set(id, [])
    // Sorted here, because the rows of several records are in no order of an index.
    for (const { id, into } of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) mergedInto.get(into)?.push(id)
    level = new Set(rows.map(({ id }) => id)).difference(mergedInto)
  }
  return new Map([...ids].map((id) => [id, withMerged(id, mergedInto)]))
}

function withMerged(id: string, mergedInto: ReadonlyMap<string, readonly string[]>): string[] {
  const family = new Set([id])
  for (const one of family)
    for (const merged of mergedInto.get(one) ?? []) if (family.size < MAX_FAMILY) family.add(merged)
  return [...family]
}

/** Same as `familyOf`, for a list about one business. Errors: `not_found` (there is no such business in the tenant). */
export async function getFamily(db: Db, tenantId: string, id: string): Promise<string[]> {
  await getBusiness(db, tenantId, id)
  return familyOf(db, tenantId, id)
}

/**
 * Returns a page of children of a business and of all records merged into it: runs `fetch` for each record and merges the results into one order.
 * Each row has the id of the business that it was written for.
 */
export async function throughMerges<Row>(
  db: Db,
  key: { tenantId: string; businessId: string },
  fetch: (businessId: string) => Promise<Row[]>,
  order: (a: Row, b: Row) => number,
): Promise<Row[]> {
  const family = await familyOf(db, key.tenantId, key.businessId)
  if (family.length === 1) return fetch(key.businessId)
  const rows: Row[] = []
  for (const id of family) rows.push(...(await fetch(id)))
  return rows.sort(order)
}

/** Returns one child of a business or of a record merged into it: the first result of `find`, which is called for the business itself first. */
export async function inFamily<Row>(
  db: Db,
  key: { tenantId: string; businessId: string },
  find: (businessId: string) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const own = await find(key.businessId)
  if (own !== undefined) return own
  for (const id of (await familyOf(db, key.tenantId, key.businessId)).slice(1)) {
    const found = await find(id)
    if (found !== undefined) return found
  }
  return undefined
}

/** Order for `throughMerges`: newest first. It compares ids, because ids ascend with time. */
export function newestIdFirst(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? 1 : -1
}

export async function getStoredRecord(db: Db, tenantId: string, id: string): Promise<StoredRecord> {
  const { docid: _docid, ...business } = await db
    .selectFrom('businesses')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound)
  const rows = await db
    .selectFrom('business_identifiers')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', id)
    .orderBy('kind')
    .orderBy('position')
    .execute()
  return { business, identifiers: rows.map(({ tenant_id: _tenant, business_id: _business, ...row }) => row) }
}

/**
 * Writes the content of a record that a merge or its reversal produces, exactly as given, without normalizing it again. Inserts no tombstone for
 * values that the record loses, because the other record has them. Returns the suppression matches of its new values; the caller marks the record for
 * them (`carryToSurvivor`, `markMatched`). Call `refreshSearchText` after the whole family is written.
 */
export async function rewriteRecord(
  tx: Tx,
  current: StoredRecord,
  columns: MergedColumns,
  identifiers: readonly IdentifierRecord[],
): Promise<GateMatch[]> {
  const { tenantId } = tx.actor
  const { id, version } = current.business
  await tx.db
    .updateTable('businesses')
    .set({
      ...columns,
      ...primaries(identifiers),
      doubts: doubtsOf(columns, identifiers),
      version: version + 1,
      updated_at: tx.at,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  await replaceTags(tx, id, tagsOf(current.business), tagsOf(columns))
  await tx.db
    .deleteFrom('business_identifiers')
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', id)
    .execute()
  await writeIdentifiers(
    tx,
    identifiers.map((row) => ({ tenant_id: tenantId, business_id: id, ...row })),
  )
  const after = identifiers.map(contactValue)
  const keys = after.map(recordKeysOf)
  const before = current.identifiers.map(contactValue).flatMap(recordKeysOf)
  await replaceRecordKeys(tx, id, { before, after: keys.flat() })
  return gate(tx, tenantId, after, keys)
}

/** Stores the doubts about a record again, by the rules of now. */
export async function refreshDoubts(tx: SearchTx, id: string): Promise<void> {
  const { business, identifiers } = await getStoredRecord(tx.db, tx.actor.tenantId, id)
  const doubts = doubtsOf(business, identifiers)
  if (doubts === business.doubts) return
  await tx.db
    .updateTable('businesses')
    .set({ doubts })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', id)
    .execute()
}

/** Updates the search data of a record, and whether it has a person to ask for, from its stored values and those of all records merged into it. */
export async function refreshSearchText(tx: SearchTx, id: string): Promise<void> {
  const { business, identifiers } = await getStoredRecord(tx.db, tx.actor.tenantId, id)
  const ofFamily = await textsOfFamily(tx, id)
  await indexRecord(tx, id, { ...namedAs(business), identifiers: inOrderOfSearch(identifiers), ...ofFamily })
  const has_person = ofFamily.further.hasPerson ? 1 : 0
  if (has_person === business.has_person) return
  await tx.db
    .updateTable('businesses')
    .set({ has_person })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', id)
    .execute()
}

/**
 * Returns the names of all records merged into a record, and the further texts of the record and of those, so that a search for one of them finds the
 * survivor.
 */
export async function textsOfFamily(
  tx: Pick<SearchTx, 'db' | 'actor'>,
  id: string,
): Promise<{ merged: Named[]; further: FurtherTexts }> {
  const family = await familyOf(tx.db, tx.actor.tenantId, id)
  const merged: Named[] = []
  for (const one of family.slice(1))
    merged.push(namedAs((await getStoredRecord(tx.db, tx.actor.tenantId, one)).business))
  return { merged, further: await furtherTextsOf(tx, family) }
}

function namedAs(business: BusinessTable): Named {
  const { name, trading_name: tradingName, registration_number: registrationNumber } = business
  return { name, tradingName, registrationNumber }
}

function contactValue({ kind, original: value, region }: IdentifierRecord) {
  return { kind, value, region }
}

/** Returns identifiers in the order that creating and editing use, so that the search text does not depend on which function wrote it. */
function inOrderOfSearch(identifiers: readonly IdentifierRecord[]): IdentifierRecord[] {
  return (['email', 'phone', 'domain'] as const).flatMap((kind) => identifiers.filter((row) => row.kind === kind))
}

export function tagsOf({ tags }: Pick<BusinessTable, 'tags'>): string[] {
  return readTexts(tags)
}

/**
 * Sets a business to merged, or back to active, without other changes. Call `refreshSearchText` to update the names by which a search finds the
 * survivor.
 */
export async function linkTo(tx: Tx, { business }: StoredRecord, survivorId: string | null): Promise<void> {
  await tx.db
    .updateTable('businesses')
    .set({
      status: survivorId === null ? 'active' : 'merged',
      merged_into: survivorId,
      version: business.version + 1,
      updated_at: tx.at,
    })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', business.id)
    .execute()
}
