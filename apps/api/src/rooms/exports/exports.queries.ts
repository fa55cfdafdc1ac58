import { sql } from 'kysely'
import { actorRef } from '../../lib/actor.ts'
import { AppError, notFound } from '../../lib/app-error.ts'
import { latestBeginning } from '../../lib/clock.ts'
import type { Tx } from '../../store/change/change.ts'
import { inParts } from '../../store/change/in-parts.ts'
import type { Db } from '../../store/database.ts'
import { alongIndex, elementsOf, jsonField, thenJoin } from '../../store/engine/dialect.ts'
import { type JobStatus, latestJob } from '../jobs/jobs.ts'
import {
  type Condition,
  emptyConditions,
  erasableFields,
  FILTER_SCHEMA_VERSION,
  isErased,
  isSearch,
  readStoredConditions,
  type StoredCondition,
} from '../prospect-list/prospect-list.ts'
import {
  type Export,
  type exportStatuses,
  readAuditFilter,
  readSpreadsheet,
  type SpreadsheetLayout,
} from './exports.schema.ts'
import type { ExportFileTable, ExportTable, RemovalCause } from './exports.table.ts'

type File = Pick<ExportFileTable, 'rows' | 'left_out' | 'marked' | 'bytes' | 'sha256' | 'values_sha256' | 'expires_at'>
export type ExportRow = ExportTable & {
  actor_name: string | null
  report_name: string | null
  job_status: JobStatus | null
  written_at: string | null
  removed_at: string | null
  removed_because: RemovalCause | null
} & { [Column in keyof File]: File[Column] | null }

export async function insertExport(db: Db, row: ExportTable): Promise<void> {
  await db.insertInto('exports').values(row).execute()
}

export async function insertExportFile(db: Db, row: ExportFileTable): Promise<void> {
  await db.insertInto('export_files').values(row).execute()
}

/** Selects exports, each with its file and with the status of its job's newest attempt. */
function exportsWithFile(db: Db) {
  return db
    .selectFrom('exports as e')
    .leftJoin('export_files as f', (join) =>
      join.onRef('f.tenant_id', '=', 'e.tenant_id').onRef('f.export_id', '=', 'e.id'),
    )
    .leftJoin('reports as r', (join) => join.onRef('r.tenant_id', '=', 'e.tenant_id').onRef('r.id', '=', 'e.report_id'))
    .leftJoin('users as u', 'u.id', 'e.created_by')
    .selectAll('e')
    .select(['f.rows', 'f.left_out', 'f.marked', 'f.bytes', 'f.sha256', 'f.values_sha256'])
    .select([
      'f.written_at',
      'f.expires_at',
      'f.removed_at',
      'f.removed_because',
      'u.name as actor_name',
      'r.name as report_name',
    ])
    .select(latestJob('e', 'status').as('job_status'))
}

/** Returns one export. Errors: `not_found`. */
export async function getExportRow(db: Db, tenantId: string, id: string): Promise<ExportRow> {
  return exportsWithFile(db)
    .where('e.tenant_id', '=', tenantId)
    .where('e.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/** Selects the exports of a tenant. */
export function exportsOf(db: Db, tenantId: string) {
  return exportsWithFile(db).where('e.tenant_id', '=', tenantId)
}

/** Returns a page of exports, newest first. Sorts by id, because ids are ordered by time. */
export async function selectExports(
  db: Db,
  wanted: { tenantId: string; before: string | undefined; limit: number },
): Promise<ExportRow[]> {
  const { tenantId, before, limit } = wanted
  return exportsOf(db, tenantId)
    .$if(before !== undefined, (query) => query.where('e.id', '<', before ?? ''))
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute()
}

export type KeptFile = Pick<ExportFileTable, 'tenant_id' | 'export_id' | 'written_at' | 'expires_at'> &
  Pick<ExportTable, 'source' | 'format' | 'report_id'>

/**
 * Returns the stored files of a tenant in the order in which they were written. This is not the order of exports, because a retried job writes its
 * file later.
 */
export async function selectKept(db: Db, tenantId: string): Promise<KeptFile[]> {
  // Use this index, which contains only the stored files. By default SQLite would read every file that the tenant ever had.
  const kept = sql<ExportFileTable>`export_files`.as<'f'>(sql`f ${alongIndex('export_files_kept')}`)
  return db
    .selectFrom(kept)
    .innerJoin('exports as e', (join) =>
      join.onRef('e.tenant_id', '=', 'f.tenant_id').onRef('e.id', '=', 'f.export_id'),
    )
    .select(['f.tenant_id', 'f.export_id', 'f.written_at', 'f.expires_at', 'e.source', 'e.format', 'e.report_id'])
    .where('f.tenant_id', '=', tenantId)
    .where('f.removed_at', 'is', null)
    .orderBy('f.written_at')
    .orderBy('f.export_id')
    .execute()
}

/** Marks a file as removed. Returns true if it was still stored. */
export async function markRemoved(
  db: Db,
  file: Pick<ExportFileTable, 'tenant_id' | 'export_id'>,
  removed: { at: string; because: RemovalCause },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('export_files')
    .set({ removed_at: removed.at, removed_because: removed.because })
    .where('tenant_id', '=', file.tenant_id)
    .where('export_id', '=', file.export_id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Returns the conditions of an export. Errors: `export_outdated` (a condition was erased or cannot be read, so the file would contain more records
 * than were requested).
 */
export function conditionsOfRow({ filter_json }: Pick<ExportTable, 'filter_json'>): Condition[] {
  const { conditions, problems } = readStoredConditions(filter_json, FILTER_SCHEMA_VERSION)
  if (problems.length === 0) return conditions
  throw new AppError(
    'export_outdated',
    problems.some(({ problem }) => problem === 'erased')
      ? 'A record was erased before this was written, and a filter of this export with it. Request it again.'
      : 'This version of the product cannot read a filter of this export. Request it again.',
  )
}

export type EmptiedExports = { searches: number; texts: string[] }

/**
 * Yields, in parts, the exports of the tenant that have a condition with a text. Exports without such a condition are not parsed, and neither are those
 * whose conditions earlier erasures emptied.
 */
export async function* exportsWithText(
  db: Db,
  tenantId: string,
): AsyncGenerator<Pick<ExportTable, 'id' | 'filter_json'>[]> {
  const condition = sql`c.value`
  const rows = await db
    .selectFrom(sql<ExportTable>`exports`.as<'e'>(sql`e ${alongIndex('exports_with_filter')}`))
    .select('e.id')
    .where('e.tenant_id', '=', tenantId)
    .where('e.filter_json', '<>', sql.lit('[]'))
    .where(sql<boolean>`EXISTS (SELECT 1 FROM ${elementsOf(sql.ref('e.filter_json'), 'c')}
      WHERE ${jsonField(condition, 'field')} IN (${sql.join(erasableFields)}) AND ${jsonField(condition, 'erased')} IS NULL)`)
    .execute()
  for await (const ids of inParts(rows.map(({ id }) => id)))
    yield await db
      .selectFrom('exports')
      .select(['id', 'filter_json'])
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', sql<string>`(SELECT value FROM ${elementsOf(sql.val(ids), 'part')})`)
      .execute()
}

/**
 * Empties conditions in the exports of the tenant: every search text, because it can be the erased text, and each tag, city, industry, source and role that no
 * record has any more. Returns the number of exports in which a search was emptied, and the ids of those in which another text was emptied.
 */
export async function emptyTexts(tx: Tx, businessIds: readonly string[]): Promise<EmptiedExports> {
  const { tenantId } = tx.actor
  const emptied: EmptiedExports = { searches: 0, texts: [] }
  const known = new Map<string, boolean>()
  const isGone = async (one: StoredCondition): Promise<boolean> => {
    const key = JSON.stringify(one)
    const gone = known.get(key) ?? (await isErased(tx, one, businessIds))
    known.set(key, gone)
    return gone
  }
  for await (const part of exportsWithText(tx.db, tenantId)) {
    for (const { id, filter_json } of part) {
      const withoutSearch = await emptyConditions(filter_json, ({ field }) => isSearch(String(field)))
      const { text, isChanged } = await emptyConditions(withoutSearch.text, isGone)
      if (withoutSearch.isChanged) emptied.searches += 1
      if (isChanged) emptied.texts.push(id)
      if (text === filter_json) continue
      await tx.db
        .updateTable('exports')
        .set({ filter_json: text })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .execute()
    }
  }
  return emptied
}

/**
 * Returns true if the file has expired. Also returns true if it is stamped in the future, because the clock was later set back; the file would
 * otherwise be stored for too long.
 */
export function isOver(
  { written_at, expires_at }: Pick<ExportFileTable, 'written_at' | 'expires_at'>,
  now: string,
): boolean {
  return expires_at <= now || written_at > latestBeginning(now)
}

/** Returns the status of an export at a time. An expired file counts as expired even before it is deleted. */
export function statusOf(row: ExportRow, now: string): (typeof exportStatuses)[number] {
  const { job_status, written_at, expires_at, removed_because } = row
  if (written_at === null) return job_status === null || job_status === 'succeeded' ? 'running' : job_status
  if (removed_because !== null && removed_because !== 'expired') return 'removed'
  return removed_because === 'expired' || isOver({ written_at, expires_at: expires_at ?? '' }, now)
    ? 'expired'
    : 'ready'
}

export function fileName({
  source,
  created_at,
  format,
}: Pick<ExportTable, 'source' | 'created_at' | 'format'>): string {
  return `${source}-${created_at.slice(0, 19).replaceAll(':', '')}.${format}`
}

export function toExport(row: ExportRow, now: string): Export {
  const { conditions, problems } = readStoredConditions(row.filter_json, FILTER_SCHEMA_VERSION)
  return {
    id: row.id,
    jobId: row.job_id,
    source: row.source,
    report: row.report_id === null ? null : { id: row.report_id, name: row.report_name ?? '' },
    filter: conditions,
    auditFilter: auditFilterOf(row),
    erasedFields: problems.map(({ field }) => field),
    format: row.format,
    suppressed: row.suppressed,
    spreadsheet: spreadsheetOf(row),
    status: statusOf(row, now),
    file: fileOf(row),
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.actor_name),
  }
}

/** Returns the layout of a file for a spreadsheet; null for a file for programs. */
export function spreadsheetOf({ spreadsheet }: Pick<ExportTable, 'spreadsheet'>): SpreadsheetLayout | null {
  return spreadsheet === null ? null : readSpreadsheet(spreadsheet)
}

/** Returns the conditions of an export of the audit; null for another source. */
export function auditFilterOf({ audit_filter }: Pick<ExportTable, 'audit_filter'>): Export['auditFilter'] {
  return audit_filter === null ? null : readAuditFilter(audit_filter)
}

function fileOf(row: ExportRow): Export['file'] {
  const { rows, left_out, marked, bytes, sha256, written_at, expires_at } = row
  if (rows === null || left_out === null || marked === null || bytes === null) return null
  if (sha256 === null || written_at === null || expires_at === null) return null
  return {
    name: fileName(row),
    rows,
    leftOut: left_out,
    marked,
    bytes,
    sha256,
    writtenAt: written_at,
    expiresAt: expires_at,
    removedAt: row.removed_at,
    removedBecause: row.removed_because,
  }
}

/** Returns the ids of exports whose job of this kind is queued or running. Their files must not be deleted. */
export async function selectUnderWay(db: Db, tenantId: string, kind: string): Promise<string[]> {
  const rows = await db
    .selectFrom('jobs as j')
    .innerJoin('exports as e', (join) =>
      join.onRef('e.tenant_id', '=', 'j.tenant_id').onRef('e.job_id', '=', 'j.lineage_id'),
    )
    .select('e.id')
    .where('j.tenant_id', '=', tenantId)
    .where('j.kind', '=', kind)
    .where('j.status', 'in', ['queued', 'running'])
    .execute()
  return rows.map(({ id }) => id)
}

/** Inserts which records a file contains, in parts between which requests are served. */
export async function insertExportRecords(tx: Tx, exportId: string, recordIds: readonly string[]): Promise<void> {
  const { tenantId } = tx.actor
  for await (const part of inParts(recordIds))
    await sql`
      INSERT INTO export_records (tenant, docid, export_id)
      SELECT t.number, b.docid, ${exportId} FROM ${elementsOf(sql.val(part), 'part')}
        ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = part.value
        ${thenJoin} tenants t ON t.id = ${tenantId}
      WHERE true ON CONFLICT DO NOTHING`.execute(tx.db)
}

/** An export with its file, as a collection of everything held names it. */
export type ExportOfRecord = Pick<ExportTable, 'id' | 'format' | 'created_at' | 'created_by'> &
  Pick<ExportFileTable, 'written_at' | 'expires_at' | 'removed_at'>

/** Returns the exports whose files contained one of these records, oldest first. */
export async function selectExportsWith(
  db: Db,
  tenantId: string,
  businessIds: readonly string[],
): Promise<ExportOfRecord[]> {
  const { rows } = await sql<ExportOfRecord>`
    SELECT DISTINCT e.id, e.format, e.created_at, e.created_by, f.written_at, f.expires_at, f.removed_at
    FROM ${elementsOf(businessIds, 'wanted')}
      ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = wanted.value
      ${thenJoin} export_records r ON r.tenant = (SELECT number FROM tenants WHERE id = ${tenantId}) AND r.docid = b.docid
      ${thenJoin} exports e ON e.tenant_id = ${tenantId} AND e.id = r.export_id
      ${thenJoin} export_files f ON f.tenant_id = ${tenantId} AND f.export_id = e.id
    ORDER BY e.id`.execute(db)
  return rows
}
