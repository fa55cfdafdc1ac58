import { renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { recordId } from '../../http/text.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change/change.ts'
import { syncFolder } from '../../store/files/durable-files.ts'
import { createFileWriter, type WrittenFile } from '../../store/files/write-file.ts'
import { wasErasedSince } from '../businesses/businesses.ts'
import { defineJobKind, type JobContext } from '../jobs/jobs.ts'
import { getReport } from '../reports/reports.ts'
import { drafts, type ExportFiles, exportFolder, filesOf, removeDrafts } from './export-folder.ts'
import {
  auditFilterOf,
  conditionsOfRow,
  type ExportRow,
  getExportRow,
  insertExportFile,
  insertExportRecords,
  selectKept,
  spreadsheetOf,
} from './exports.queries.ts'
import { removeFile } from './remove-files.ts'
import { writeAudit } from './write-audit.ts'
import { type Counts, exportBound, writeProspects, writeReport } from './write-export.ts'

const TIMEOUT_MS = 1_800_000
/** Number of hours for which a file can be downloaded. */
export const KEPT_HOURS = 24
/** Maximum number of stored files per tenant. A further file replaces the oldest. */
export const MAX_KEPT = 10

const HOUR_MS = 3_600_000

type Written = {
  counts: Counts
  file: WrittenFile
  valuesSha256: string
  begunAt: string
  recordIds: readonly string[]
}

/**
 * Job that writes one export. The files have temporary names until they are complete. Then one change, which requires the lease, renames them, stores
 * the row and records the audit event. An interrupted run starts again and deletes its incomplete files.
 */
export const exportJob = defineJobKind({
  kind: 'export',
  title: 'Write an export',
  permission: 'exports.create',
  input: z.strictObject({ exportId: recordId }),
  isOffered: false,
  timeoutMs: TIMEOUT_MS,
  maxAttempts: 1,
  isCancellable: true,
  touches:
    'Reads prospects, a report or the audit of the workspace, asks the suppression gate, and writes a file that is kept for a day.',
  run: async (context, { exportId }) => {
    const { store, tenantId, jobId, effect } = context
    const row = await getExportRow(store.reader, tenantId, exportId)
    const files = filesOf(store.dataDir, row)
    const draft = drafts(files, `${jobId}-${newId()}`)
    removeDrafts(store.dataDir, row.id)
    try {
      const written = await writeDrafts(context, row, draft)
      return await effect('file', { action: 'export.write' }, async (tx) => {
        await requireNoErasure(tx, written.begunAt)
        const result = await keep(tx, row, written)
        // Only the owner of the lease reaches this line, so no file of another run is replaced.
        renameSync(draft.content, files.content)
        renameSync(draft.values, files.values)
        syncFolder(exportFolder(store.dataDir))
        await makeRoomFor(tx, store.dataDir, row.id)
        return result
      })
    } finally {
      await rm(draft.content, { force: true })
      await rm(draft.values, { force: true })
    }
  },
})

async function writeDrafts(context: JobContext, row: ExportRow, draft: ExportFiles): Promise<Written> {
  const { store, actor, signal, progress } = context
  const begunAt = store.clock().toISOString()
  const content = await createFileWriter(draft.content, exportBound)
  const values = await createFileWriter(draft.values, exportBound)
  const recordIds: string[] = []
  try {
    const counts = await writeContent()
    const file = await content.finish()
    const { sha256: valuesSha256 } = await values.finish()
    return { counts, file, valuesSha256, begunAt, recordIds }
  } finally {
    await content.close()
    await values.close()
  }

  async function writeContent(): Promise<Counts> {
    if (row.report_id !== null) {
      const report = await getReport(store.reader, row.tenant_id, row.report_id)
      return writeReport(report, { format: row.format, spreadsheet: spreadsheetOf(row) }, content)
    }
    if (actor.kind !== 'user') throw new AppError('permission_denied', 'Only a person exports prospects or the audit.')
    const { format, suppressed } = row
    const spreadsheet = spreadsheetOf(row)
    const filter = auditFilterOf(row)
    if (filter !== null) {
      const onPart = (done: number) => progress({ done, total: null, unit: 'events' })
      return writeAudit({ store, actor, filter, format, spreadsheet, signal, onPart }, { content, values })
    }
    const onPart = (done: number) => progress({ done, total: null, unit: 'prospects' })
    const onRecord = (id: string) => recordIds.push(id)
    const how = { format, spreadsheet, suppressed, signal, onPart, onRecord }
    const wanted = { store, actor, conditions: conditionsOfRow(row), ...how }
    return writeProspects(wanted, { content, values })
  }
}

/** Throws if a record was erased since `begunAt`, because the file can contain its content. */
async function requireNoErasure(tx: Tx, begunAt: string): Promise<void> {
  if (!(await wasErasedSince(tx, begunAt))) return
  throw new AppError(
    'export_outdated',
    'A record was erased while this file was being written, so the file was deleted. Create the export again.',
  )
}

async function keep(tx: Tx, row: ExportRow, { counts, file, valuesSha256, begunAt, recordIds }: Written) {
  const expiresAt = new Date(Date.parse(tx.at) + KEPT_HOURS * HOUR_MS).toISOString()
  await insertExportFile(tx.db, {
    tenant_id: row.tenant_id,
    export_id: row.id,
    rows: counts.rows,
    left_out: counts.leftOut,
    marked: counts.marked,
    bytes: file.bytes,
    sha256: file.sha256,
    values_sha256: valuesSha256,
    begun_at: begunAt,
    written_at: tx.at,
    expires_at: expiresAt,
    removed_at: null,
    removed_because: null,
  })
  await insertExportRecords(tx, row.id, recordIds)
  const { source, format, suppressed } = row
  const after = { source, format, suppressed, ...counts, ...file }
  await tx.record({ subject: { type: 'export', id: row.id }, after: { ...after, expiresAt } })
  return { exportId: row.id, ...counts, ...file }
}

/** Deletes the oldest files beyond the limit. The new file is never deleted, even if the clock was set back after the others were written. */
async function makeRoomFor(tx: Tx, dataDir: string, writtenId: string): Promise<void> {
  const others = (await selectKept(tx.db, tx.actor.tenantId)).filter(({ export_id: id }) => id !== writtenId)
  for (const file of others.slice(0, Math.max(0, others.length + 1 - MAX_KEPT)))
    await removeFile(tx, dataDir, file, 'replaced')
}
