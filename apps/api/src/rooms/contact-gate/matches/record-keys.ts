import { type RawBuilder, sql } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import { unique } from '../../../lib/unique.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Db } from '../../../store/database.ts'
import { thenJoin } from '../../../store/engine/dialect.ts'
import { prepared, preparedInsert } from '../../../store/engine/prepared.ts'
import { type ContactValue, type KeyRange, recordKeysOf } from '../keys/contact-keys.rules.ts'
import { MATCHED_AT_ONCE } from './matches.queries.ts'

/*
 * Keys of a business's contact values, by which an entry finds the business. A row refers to its tenant and business by their numbers, because the ids
 * as text took more than half of its space.
 */

/** The numbers of a business and its tenant. */
type Numbers = { tenant: number; docid: number }
type RecordKey = Numbers & { key: string; ofEvidence: 0 | 1 }

const numbers = prepared<{ tenantId: string; businessId: string }>()((db, param) =>
  db
    .selectFrom('businesses as b')
    .innerJoin('tenants as t', 't.id', 'b.tenant_id')
    .select(['t.number as tenant', 'b.docid'])
    .where('b.tenant_id', '=', param('tenantId'))
    .where('b.id', '=', param('businessId')),
)

const insertRecordKey = preparedInsert('suppression_record_keys', ['tenant', 'key', 'docid', 'of_evidence'], 'ignore')

const deleteRecordKey = prepared<RecordKey>()((db, param) =>
  db
    .deleteFrom('suppression_record_keys')
    .where('tenant', '=', param('tenant'))
    .where('key', '=', param('key'))
    .where('docid', '=', param('docid'))
    .where('of_evidence', '=', param('ofEvidence')),
)

/**
 * Replaces the keys of a business's own values, or with `ofEvidence: 1` of the values that its other rows state. The room that writes such values must
 * call this function after every write.
 */
export async function replaceRecordKeys(
  tx: Tx,
  businessId: string,
  keys: { before: readonly string[]; after: readonly string[] },
  { ofEvidence = 0 }: { ofEvidence?: 0 | 1 } = {},
): Promise<void> {
  const removed = unique(keys.before).filter((key) => !keys.after.includes(key))
  const added = unique(keys.after).filter((key) => !keys.before.includes(key))
  if (removed.length === 0 && added.length === 0) return
  const { tenant, docid } = await numbersOf(tx, businessId)
  for (const key of removed) await deleteRecordKey(tx.db, { tenant, key, docid, ofEvidence })
  for (const key of added) await insertRecordKey(tx.db, { tenant, key, docid, of_evidence: ofEvidence })
}

/** Adds the keys of a value that evidence contains. Neither evidence nor its keys are ever deleted, except by an erasure. */
export async function insertEvidenceKeys(tx: Tx, businessId: string, value: ContactValue): Promise<void> {
  const { tenant, docid } = await numbersOf(tx, businessId)
  for (const key of recordKeysOf(value)) await insertRecordKey(tx.db, { tenant, key, docid, of_evidence: 1 })
}

/** Deletes all keys of an erased business, including those of its evidence. Its matches stay. */
export async function deleteRecordKeys(tx: Tx, businessId: string): Promise<void> {
  const { docid } = await numbersOf(tx, businessId)
  await tx.db.deleteFrom('suppression_record_keys').where('docid', '=', docid).execute()
}

async function numbersOf(tx: Tx, businessId: string): Promise<Numbers> {
  const [found] = await numbers(tx.db, { tenantId: tx.actor.tenantId, businessId })
  if (found === undefined) throw new Error('Keys can be written only for a business of the tenant.')
  return found
}

/** Yields the ids of all businesses of the tenant that have a key in these ranges, in batches of limited size. */
export async function* businessesInRanges(tx: Tx, ranges: readonly KeyRange[]): AsyncGenerator<string[]> {
  const breathe = createBreather()
  for (const { from, to } of ranges) {
    let after: { key: string; docid: number } | undefined = { key: from, docid: 0 }
    while (after !== undefined) {
      const rows = await keysAfter(tx, after, to)
      yield [...new Set(rows.map(({ businessId }) => businessId))]
      after = rows.length < MATCHED_AT_ONCE ? undefined : rows.at(-1)
      await breathe()
    }
  }
}

/** Returns the ids of businesses that have a key in one of these ranges, at most `limit` for each range. */
export async function findBusinessesWithKeys(
  db: Db,
  { tenantId, ranges, limit }: { tenantId: string; ranges: readonly KeyRange[]; limit: number },
): Promise<string[]> {
  const found: string[] = []
  for (const { from, to } of ranges) {
    const { rows } = await sql<{ id: string }>`
      SELECT DISTINCT b.id FROM suppression_record_keys k ${thenJoin} businesses b ON b.docid = k.docid
      WHERE k.tenant = ${numberOf(tenantId)} AND k.key >= ${from} AND k.key < ${to} LIMIT ${limit}`.execute(db)
    found.push(...rows.map(({ id }) => id))
  }
  return unique(found)
}

async function keysAfter(
  tx: Tx,
  after: { key: string; docid: number },
  to: string,
): Promise<{ key: string; docid: number; businessId: string }[]> {
  return recordsAfter(tx.db, { tenantId: tx.actor.tenantId, key: after.key, docid: after.docid, to })
}

/** Prepared once, because a registry round marks the records of a hundred thousand entries. */
const recordsAfter = prepared<{ tenantId: string; key: string; docid: number; to: string }>()(
  (_db, param) => sql<{ key: string; docid: number; businessId: string }>`
    SELECT k.key, k.docid, b.id AS "businessId"
    FROM suppression_record_keys k ${thenJoin} businesses b ON b.docid = k.docid
    WHERE k.tenant = ${numberOf(param('tenantId'))} AND (k.key, k.docid) > (${param('key')}, ${param('docid')}) AND k.key < ${param('to')}
    ORDER BY k.key, k.docid LIMIT ${sql.lit(MATCHED_AT_ONCE)}`,
)

/** Selects the number of a tenant, which the keys of records contain. */
export function numberOf(tenantId: string | RawBuilder<string>): RawBuilder<number> {
  return sql<number>`(SELECT number FROM tenants WHERE id = ${tenantId})`
}
