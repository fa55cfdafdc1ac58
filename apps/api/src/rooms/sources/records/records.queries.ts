import { sql } from 'kysely'
import { actorRef } from '../../../lib/actor.ts'
import type { Db } from '../../../store/database.ts'
import { jsonList } from '../../../store/engine/dialect.ts'
import { readTexts } from '../../../store/json-column.ts'
import { ERASED } from '../../businesses/businesses.ts'
import type { SourceRecordRawTable, SourceRecordTable } from '../sources.table.ts'
import type { SourceRecord } from './records.schema.ts'

export async function insertRecord(db: Db, record: SourceRecordTable, raw: SourceRecordRawTable): Promise<void> {
  await db.insertInto('source_records').values(record).execute()
  await db.insertInto('source_record_raws').values(raw).execute()
}

/** Returns the number of stored raw texts of a tenant, which triggers count. */
export async function countKeptRaws(db: Db, tenantId: string): Promise<number> {
  const row = await db
    .selectFrom('source_raw_counts')
    .select('count')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.count ?? 0
}

function recordsWithRaw(db: Db) {
  return db
    .selectFrom('source_records as r')
    .innerJoin('source_record_raws as w', (join) =>
      join.onRef('w.tenant_id', '=', 'r.tenant_id').onRef('w.record_id', '=', 'r.id'),
    )
    .innerJoin('sources as s', (join) =>
      join.onRef('s.tenant_id', '=', 'r.tenant_id').onRef('s.id', '=', 'r.source_id'),
    )
    .leftJoin('users as u', 'u.id', 'r.created_by')
    .leftJoin('users as d', 'd.id', 'w.deleted_by')
    .selectAll('r')
    .select(['w.raw', 'w.state', 'w.delete_after', 'w.deleted_at', 'w.deleted_by', 'w.reason', 'w.failure'])
    .select([
      's.slug',
      's.name as source_name',
      's.kind as source_kind',
      'u.name as actor_name',
      'd.name as deleter_name',
    ])
    .select(
      sql<string>`(SELECT ${jsonList(sql`e.id`)} FROM evidence AS e
        WHERE e.tenant_id = r.tenant_id AND e.source_record_id = r.id)`.as('evidence_ids'),
    )
}

/** Returns a record of exactly this business, not of a record merged into it. */
export async function findRecord(
  db: Db,
  tenantId: string,
  businessId: string,
  id: string,
): Promise<SourceRecord | undefined> {
  const row = await recordsWithRaw(db)
    .where('r.tenant_id', '=', tenantId)
    .where('r.business_id', '=', businessId)
    .where('r.id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : toRecord(row)
}

/** Returns the records of a business, newest first. */
export async function selectRecords(
  db: Db,
  wanted: { tenantId: string; businessId: string; before: string | undefined; limit: number },
): Promise<SourceRecord[]> {
  const { tenantId, businessId, before, limit } = wanted
  const rows = await recordsWithRaw(db)
    .where('r.tenant_id', '=', tenantId)
    .where('r.business_id', '=', businessId)
    .$if(before !== undefined, (query) => query.where('r.id', '<', before ?? ''))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRecord)
}

/** Returns the record of this business that has this identity. */
export async function findByIdentity(
  db: Db,
  tenantId: string,
  businessId: string,
  identity: string,
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('source_records')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('identity', '=', identity)
    .executeTakeFirst()
}

export type DueRaw = Pick<SourceRecordRawTable, 'record_id' | 'source_id'> & { business_id: string }

/** Returns raw texts whose retention period has ended, including those whose deletion failed before. */
export async function selectDue(
  db: Db,
  tenantId: string,
  { now, after, limit }: { now: string; after: string; limit: number },
): Promise<DueRaw[]> {
  const { rows } = await sql<DueRaw>`
    SELECT w.record_id, w.source_id, r.business_id FROM source_record_raws AS w
    JOIN source_records AS r ON r.tenant_id = w.tenant_id AND r.id = w.record_id
    WHERE w.tenant_id = ${tenantId} AND w.raw IS NOT NULL AND w.delete_after <= ${now} AND w.record_id > ${after}
    ORDER BY w.record_id LIMIT ${limit}`.execute(db)
  return rows
}

export async function updateRaw(
  db: Db,
  { tenantId, recordId }: { tenantId: string; recordId: string },
  changed: Partial<Omit<SourceRecordRawTable, 'tenant_id' | 'record_id' | 'source_id'>>,
): Promise<void> {
  await db
    .updateTable('source_record_raws')
    .set(changed)
    .where('tenant_id', '=', tenantId)
    .where('record_id', '=', recordId)
    .execute()
}

export async function hasDueRaw(db: Db, tenantId: string, now: string): Promise<boolean> {
  return (await selectDue(db, tenantId, { now, after: '', limit: 1 })).length > 0
}

/** Deletes every raw text of these businesses, as part of an erasure. */
export async function emptyRaws(
  db: Db,
  { tenantId, businessIds, at, by }: { tenantId: string; businessIds: readonly string[]; at: string; by: string },
): Promise<void> {
  const records = db
    .selectFrom('source_records')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', businessIds)
  await db
    .updateTable('source_record_raws')
    .set({ raw: null, state: 'deleted', deleted_at: at, deleted_by: by, reason: ERASED, failure: null })
    .where('tenant_id', '=', tenantId)
    .where('record_id', 'in', records)
    .execute()
}

type Row = Awaited<ReturnType<ReturnType<typeof recordsWithRaw>['execute']>>[number]

function toRecord(row: Row): SourceRecord {
  const { csv_file_sha256: fileSha256, csv_row: csvRow, csv_line: line } = row
  return {
    id: row.id,
    businessId: row.business_id,
    source: { id: row.source_id, slug: row.slug, name: row.source_name, contractVersion: row.number },
    suppliedBy: row.source_kind === 'adapter' ? 'source' : 'operator',
    reference: row.reference,
    raw: row.raw,
    rawState: row.state,
    rawDeleteAfter: row.raw === null ? null : row.delete_after,
    rawDeletedAt: row.deleted_at,
    rawDeletedBy: row.deleted_by === null ? null : actorRef(row.deleted_by, row.deleter_name),
    rawDeletionReason: row.reason,
    rawFailure: row.failure,
    sha256: row.raw_sha256,
    attribution: row.attribution,
    capturedAt: row.captured_at,
    observedAt: row.observed_at,
    csv: fileSha256 === null || csvRow === null ? null : { fileSha256, row: csvRow, line: line ?? csvRow },
    evidenceIds: readTexts(row.evidence_ids),
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.actor_name),
  }
}
