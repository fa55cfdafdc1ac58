import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { elementsOf } from '../../../store/engine/dialect.ts'
import { prepared, preparedInsert, preparedWrite } from '../../../store/engine/prepared.ts'
import { NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import type { MatchRecordTable } from '../matching.table.ts'
import {
  ID_LENGTH,
  KEY_DIGITS,
  type KeptKeys,
  keyRows,
  keysIn,
  keysOf,
  NO_KEY,
  type RecordRows,
} from '../rules/match-keys.rules.ts'

const derivedColumns = [
  'name_key',
  'building_key',
  'number_key',
  'digits_key',
  'facts',
  'normalization_version',
] as const
const upsertRecord = preparedInsert('match_records', ['tenant_id', 'business_id', ...derivedColumns], {
  key: ['tenant_id', 'business_id'],
  update: derivedColumns,
})

type Key = { tenantId: string; key: number; businessId: string }

const recordRow = prepared<{ tenantId: string; businessId: string }>()((db, param) =>
  db
    .selectFrom('match_records')
    .selectAll()
    .where('tenant_id', '=', param('tenantId'))
    .where('business_id', '=', param('businessId')),
)

const idOfRow = sql`substr(value, 1, ${sql.lit(ID_LENGTH)})`
const keyOfRow = (at: number) =>
  sql`CAST(NULLIF(substr(value, ${sql.lit(ID_LENGTH + 1 + at * KEY_DIGITS)}, ${sql.lit(KEY_DIGITS)}), ${sql.lit(NO_KEY)}) AS bigint)`

/** Inserts keys only, ascending. The rows of their businesses are inserted afterwards, so that a crash never leaves a row without its keys. */
export const addKeys = prepared<{ tenantId: string; keys: string }>()(
  (_db, param) => sql`
    INSERT INTO match_keys (tenant_id, key, business_id)
    SELECT ${param('tenantId')}, CAST(substr(value, ${sql.lit(ID_LENGTH + 1)}) AS bigint), ${idOfRow} FROM ${elementsOf(param('keys'), 'one')}
    WHERE NOT EXISTS (SELECT 1 FROM erasures WHERE tenant_id = ${param('tenantId')} AND business_id = ${idOfRow})
    ON CONFLICT DO NOTHING`,
)

const insertRecords = preparedWrite<{ tenantId: string; version: string; rows: string }>()(
  (_db, param) => sql`
    INSERT INTO match_records (tenant_id, business_id, name_key, building_key, number_key, digits_key, facts, normalization_version)
    SELECT ${param('tenantId')}, ${idOfRow}, ${sql.join([0, 1, 2, 3, 4].map(keyOfRow))}, ${param('version')}
    FROM ${elementsOf(param('rows'), 'one')}
    WHERE NOT EXISTS (SELECT 1 FROM erasures WHERE tenant_id = ${param('tenantId')} AND business_id = ${idOfRow})
      AND NOT EXISTS (SELECT 1 FROM merges WHERE tenant_id = ${param('tenantId')} AND loser_id = ${idOfRow} AND status = 'merged')
    ON CONFLICT DO NOTHING`,
)

const deleteKey = prepared<Key>()((db, param) =>
  db
    .deleteFrom('match_keys')
    .where('tenant_id', '=', param('tenantId'))
    .where('key', '=', param('key'))
    .where('business_id', '=', param('businessId')),
)

const deleteRecord = prepared<{ tenantId: string; businessId: string }>()((db, param) =>
  db
    .deleteFrom('match_records')
    .where('tenant_id', '=', param('tenantId'))
    .where('business_id', '=', param('businessId')),
)

/**
 * Inserts the rows of businesses that had no row when a run read them. A row inserted in the meantime is not changed. Deletes the keys of a business
 * that was erased or merged in the meantime.
 */
export async function addRecords(db: Db, tenantId: string, rows: RecordRows): Promise<void> {
  const inserted = await insertRecords(db, { tenantId, version: NORMALIZATION_VERSION, rows: rows.text })
  if (inserted === rows.count) return
  for (const { businessId, keys } of keysIn(rows)) {
    const [kept] = await recordRow(db, { tenantId, businessId })
    await forgetStrays(db, { tenantId, businessId }, keys, kept)
  }
}

/**
 * Updates the row of a business whose new keys are already inserted, and deletes its outdated keys. If `isExpected` rejects the stored row, deletes
 * the new keys instead.
 */
export async function saveRecord(db: Db, row: MatchRecordTable, isExpected?: (facts: number | null) => boolean) {
  const of = { tenantId: row.tenant_id, businessId: row.business_id }
  const [before] = await recordRow(db, of)
  if (isExpected?.(before?.facts ?? null) === false) return forgetStrays(db, of, row, before)
  await upsertRecord(db, row)
  if (before !== undefined) await forgetStrays(db, of, before, row)
}

/** Deletes the keys in `once` that are not in `now`. */
async function forgetStrays(
  db: Db,
  of: { tenantId: string; businessId: string },
  once: KeptKeys,
  now: KeptKeys | undefined,
): Promise<void> {
  const own = new Set(now === undefined ? [] : keysOf(now))
  for (const key of keysOf(once)) if (!own.has(key)) await deleteKey(db, { ...of, key })
}

/** Inserts the lookup keys of a business and stores its row with the fact hash. */
export async function saveKeys(db: Db, row: MatchRecordTable): Promise<void> {
  await addKeys(db, { tenantId: row.tenant_id, keys: keyRows(keysOf(row).map((key) => [key, row.business_id])) })
  await saveRecord(db, row)
}

export async function forgetKeys(db: Db, tenantId: string, businessId: string): Promise<void> {
  const [before] = await recordRow(db, { tenantId, businessId })
  if (before === undefined) return
  await forgetStrays(db, { tenantId, businessId }, before, undefined)
  await deleteRecord(db, { tenantId, businessId })
}
