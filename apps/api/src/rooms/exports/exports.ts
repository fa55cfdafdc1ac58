import { Readable } from 'node:stream'
import { type Cursors, newestFirst, type Page, type PageQuery } from '../../http/pagination.ts'
import { actorKey, requirePermission, type UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import { change, type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import { requireRoom } from '../../store/change/quota.ts'
import type { Store } from '../../store/store.ts'
import { getNewestSequence, hasHappenedSince } from '../audit/audit.ts'
import { withholdingActions } from '../facts.ts'
import { getTenant } from '../identity/identity.ts'
import { createJob } from '../jobs/jobs.ts'
import { type Condition, isSearch, isTextCondition } from '../prospect-list/prospect-list.ts'
import { getReport } from '../reports/reports.ts'
import { filesOf } from './export-folder.ts'
import { exportJob } from './exports.jobs.ts'
import {
  type ExportRow,
  exportsOf,
  fileName,
  getExportRow,
  insertExport,
  selectExports,
  statusOf,
  toExport,
} from './exports.queries.ts'
import { exportQuota } from './exports.quota.ts'
import type { CreateExport, Export } from './exports.schema.ts'
import { gone, openWhole } from './open-whole.ts'
import { requireStillAllowed } from './still-allowed.ts'

/*
 * Exports (specification, Phase 12 §4, §5): files of prospects or of a report's figures, written by a job, stored for a day, and recorded in the
 * audit with their counts and hash. The gate checks each record when it is written, and again when the file is downloaded.
 */

/**
 * Requests an export: stores its parameters and queues the job that writes the file. Returns its id. Errors: `not_found` (the report),
 * `export_not_ready` (a report without figures), `queue_full`.
 */
export async function requestExport(tx: Tx, actor: UserActor, input: CreateExport): Promise<{ id: string }> {
  const { tenantId } = actor
  const { source, format, suppressed, spreadsheet, reportId = null } = input
  if (source === 'audit') requirePermission(actor, 'audit.read')
  const auditFilter = source === 'audit' ? (input.auditFilter ?? {}) : null
  if (reportId !== null) await requireFigures(tx, reportId)
  await requireRoom(tx, exportQuota)
  const id = newId()
  const { id: jobId } = await createJob(tx, { kind: exportJob, input: { exportId: id } })
  const layout =
    spreadsheet === undefined ? null : { ...spreadsheet, timeZone: (await getTenant(tx.db, tenantId)).timeZone }
  const conditions = input.filter.map((one) => withUser(actor, one))
  await insertExport(tx.db, {
    tenant_id: tenantId,
    id,
    job_id: jobId,
    source,
    report_id: reportId,
    format,
    suppressed,
    spreadsheet: layout === null ? null : JSON.stringify(layout),
    filter_json: JSON.stringify(conditions),
    created_at: tx.at,
    created_by: actorKey(actor),
    audit_filter: auditFilter === null ? null : JSON.stringify(auditFilter),
  })
  const filter = conditions.map(forAudit)
  await tx.record({
    subject: { type: 'export', id },
    after: {
      source,
      format,
      suppressed,
      spreadsheet: layout,
      reportId,
      filter,
      ...(auditFilter && { auditFilter }),
      jobId,
    },
  })
  return { id }
}

/** Returns a condition with the id of the requesting user in place of `me`, because a job evaluates it later. */
function withUser({ userId }: UserActor, condition: Condition): Condition {
  if (condition.field !== 'assignee') return condition
  return { ...condition, values: condition.values.map((value) => (value === 'me' ? userId : value)) }
}

/** Returns a condition as the audit records it: without typed texts, because they can be a name or an address. Tags are vocabulary and are recorded. */
function forAudit(condition: Condition): Pick<Condition, 'field' | 'op'> & { values?: unknown } {
  const { field, op, values } = condition
  const isTyped = isSearch(field) || isTextCondition(condition)
  return isTyped ? { field, op } : { field, op, values }
}

async function requireFigures(tx: Tx, reportId: string): Promise<void> {
  const { result } = await getReport(tx.db, tx.actor.tenantId, reportId)
  if (result === null)
    throw new AppError('export_not_ready', 'This report has no figures yet. Export it after they are computed.')
}

export async function getExport(store: Store, tenantId: string, id: string): Promise<Export> {
  return toExport(await getExportRow(store.reader, tenantId, id), store.clock().toISOString())
}

/** Lists the exports of the tenant, newest first, including those whose file was deleted. */
export async function listExports(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  query: PageQuery,
): Promise<Page<Export>> {
  const now = store.clock().toISOString()
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['exports', tenantId],
    query,
    fetch: (before, limit) => selectExports(store.reader, { tenantId, before, limit }),
    count: (db) => exportsOf(db, tenantId),
    toItem: (row) => toExport(row, now),
  })
}

export type Content = { name: string; bytes: number; type: string; stream: Readable }

const types = { csv: 'text/csv; charset=utf-8; header=present', jsonl: 'application/x-ndjson; charset=utf-8' }

/**
 * Returns the file after the gate has checked every record in it again, and records the download in the audit. For a HEAD request the checks are the
 * same, but no content is returned and nothing is recorded. Errors: `not_found`, `export_not_ready`, `export_gone`, `export_outdated`.
 */
export async function openContent(store: Store, actor: UserActor, id: string, isHead = false): Promise<Content> {
  const { tenantId } = actor
  const row = await getExportRow(store.reader, tenantId, id)
  if (row.source === 'audit') requirePermission(actor, 'audit.read')
  requireReady(row, store.clock().toISOString())
  const files = filesOf(store.dataDir, row)
  const handle = await openWhole(files.content, row.sha256)
  try {
    const about = { name: fileName(row), bytes: row.bytes ?? 0, type: types[row.format] }
    if (isHead) {
      await requireAllowed(store, row, files.values)
      await handle.close()
      return { ...about, stream: Readable.from([]) }
    }
    for (let tries = 1; !(await tellDownload(store, actor, row, files.values)); tries++)
      if (tries === TRIES)
        throw new AppError(
          'conflict',
          'Prospects were marked do not contact while this file was checked. Try again in a moment.',
        )
    return { ...about, stream: handle.createReadStream({ start: 0 }) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Maximum number of checks of a file, which is checked again if a record becomes do not contact in the meantime. */
const TRIES = 3

async function requireAllowed(store: Store, row: ExportRow, valuesFile: string): Promise<void> {
  if (row.source !== 'report') await requireStillAllowed(store, row, valuesFile)
}

/** Checks the file and records its download. Returns false and records nothing if a record may have become do not contact after it was checked. */
async function tellDownload(store: Store, actor: UserActor, row: ExportRow, valuesFile: string): Promise<boolean> {
  const { tenant_id: tenantId, id, rows, bytes, sha256 } = row
  const after = await getNewestSequence(store.reader, tenantId)
  await requireAllowed(store, row, valuesFile)
  const { value } = await change(
    store,
    actor,
    { permission: 'exports.read', action: 'export.download' },
    async (tx): Promise<boolean | Unchanged<boolean>> => {
      requireReady(await getExportRow(tx.db, tenantId, id), tx.at)
      if (await hasHappenedSince(tx.db, tenantId, { after, actions: withholdingActions })) return unchanged(false)
      await tx.record({ subject: { type: 'export', id }, after: { rows, bytes, sha256 } })
      return true
    },
  )
  return value
}

function requireReady(row: ExportRow, now: string): void {
  switch (statusOf(row, now)) {
    case 'ready':
      return
    case 'expired':
      throw gone('This file has expired. Create a new export.')
    case 'removed':
      throw gone('This file was deleted before it expired. Create a new export.')
    case 'queued':
    case 'running':
      throw new AppError('export_not_ready', 'This file is still being written.')
    case 'failed':
    case 'cancelled':
      throw new AppError('export_not_ready', 'Writing this file failed, and nothing was stored. Create a new export.')
  }
}
