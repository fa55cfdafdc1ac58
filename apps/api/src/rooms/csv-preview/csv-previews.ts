import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Cursors, Total } from '../../http/pagination.ts'
import { toPage } from '../../http/pagination.ts'
import type { UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import { type ChangeOptions, change } from '../../store/change/change.ts'
import type { Store } from '../../store/store.ts'
import { createJob, type JobEnding, watchJob } from '../jobs/jobs.ts'
import { analyseUpload, countsOf } from './analyse-upload.ts'
import type { CsvRow } from './csv/analysis.ts'
import { countUpTo, rowsAfter } from './csv/row-set.ts'
import { runWindow } from './csv/run-analysis.ts'
import { csvPreviewJob } from './csv-preview.jobs.ts'
import {
  type CreateCsvPreview,
  type CsvPreview,
  type CsvPreviewState,
  type CsvRowPage,
  delimiterNames,
  nameOf,
  quoteNames,
} from './csv-preview.schema.ts'
import { type HeldPreview, type HeldPreviews, heldPreviewsOf, type ReadyPreview } from './held-previews.ts'
import { receiveUpload, type Upload } from './receive-upload.ts'
import type { TemporaryFiles, TemporaryFolder } from './temporary-files.ts'

/** Maximum size of a file that is read within its request. A job reads larger files. */
export const READ_AT_ONCE_BYTES = 5_000_000
/** Time limit for reading a small file. */
const PATIENCE_MS = 60_000

export type PreviewContext = { store: Store; files: TemporaryFiles; maxBytes: number }
type Wanted = {
  actor: UserActor
  /** Checks the user again after the upload, because the session may have ended or the role may have changed meanwhile. */
  admitAgain: () => Promise<UserActor>
  query: CreateCsvPreview
  signal: AbortSignal
  idempotency: (upload: Upload) => ChangeOptions['idempotency']
}
type Received = Wanted & { store: Store; folder: TemporaryFolder; path: string; file: Upload }
type Created = { preview: HeldPreview; replayed: boolean }

/**
 * Reads an uploaded CSV file and stores its preview in memory for some minutes, for this person only (Global rule 4: a preview is no import, and rows
 * are not stored in the database). A small file is read at once; a large one is received and hashed, and a job reads it. The file is in a temporary
 * folder and is deleted in every case. The audit records counts, size and hash; neither the name nor the content of the file is stored or logged.
 * Errors: those of `admitAgain`, `too_large`, `invalid_request` (an interrupted upload), `queue_full`, `too_many_waiting`, `not_found` (a replay of an
 * expired preview), `unavailable`.
 */
export async function createCsvPreview(context: PreviewContext, body: Readable, wanted: Wanted): Promise<Created> {
  const { store, files, maxBytes } = context
  const folder = files.folder(wanted.actor)
  let isHandedOn = false
  try {
    const path = join(folder.path, 'upload.csv')
    const file = await receiveUpload(body, path, maxBytes)
    const received = { ...wanted, store, folder, path, file }
    if (file.bytes <= READ_AT_ONCE_BYTES) return await readAtOnce(received)
    const created = await readByJob(received)
    isHandedOn = !created.replayed
    return created
  } finally {
    if (!isHandedOn) folder.remove()
  }
}

async function readAtOnce(received: Received): Promise<Created> {
  const { store, query, path, file, signal, idempotency } = received
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(tooSlow()), PATIENCE_MS)
  const { tenantId } = received.actor
  const either = AbortSignal.any([signal, patience.signal])
  const read = await analyseUpload(store, { path, tenantId, query, lane: 'small', signal: either }).finally(() =>
    clearTimeout(timer),
  )
  const actor = await received.admitAgain()
  const id = newId()
  const options = { permission: 'sources.preview', action: 'source.preview', idempotency: idempotency(file) } as const
  const { value, replayed } = await change(store, actor, options, async (tx) => {
    await tx.record({ subject: { type: 'csv_preview', id }, after: countsOf(file, read.analysis) })
    return { id }
  })
  // A replay writes nothing to the database. It stores the new analysis under the preview's first id, because the preview may have expired.
  const { phoneRegion = null } = query
  return { preview: heldPreviewsOf(store).hold({ id: value.id, owner: actor, file, phoneRegion, ...read }), replayed }
}

async function readByJob(received: Received): Promise<Created> {
  const { store, query, path, file, folder, idempotency } = received
  const actor = await received.admitAgain()
  const held = heldPreviewsOf(store)
  const id = newId()
  const options = { permission: 'sources.preview', action: 'job.create', idempotency: idempotency(file) } as const
  const { tenantId } = actor
  try {
    const { value, replayed } = await change(store, actor, options, async (tx) => {
      // The preview is stored before the commit, because the worker can start the job before this request continues.
      const reading = held.await({ id, owner: actor, file, path, query, remove: folder.remove })
      const { id: jobId } = await createJob(tx, { kind: csvPreviewJob, input: { previewId: id } })
      reading.jobId = jobId
      return { id, jobId }
    })
    if (!replayed) watchJob(store, { tenantId, jobId: value.jobId }, (ending) => settle(held, id, ending))
    return { preview: held.get(actor, value.id), replayed }
  } catch (error) {
    held.forget(id)
    throw error
  }
}

/** Marks a preview as failed if its job ended without a result, which also deletes the file. */
function settle(held: HeldPreviews, id: string, { status, error }: JobEnding): void {
  if (status === 'succeeded') return
  held.fail(id, error ?? { code: 'cancelled', message: 'The analysis was cancelled. Nothing of the file was stored.' })
}

function tooSlow(): AppError {
  return new AppError(
    'unavailable',
    'Reading this file took too long. Try again later, when the server is less busy.',
    {
      reason: 'csv_too_slow',
    },
  )
}

/** Returns a preview whose file was read. Errors: `not_found`; `conflict` (the file is still being read, or reading failed). */
export function requireReady(store: Store, actor: UserActor, previewId: string): ReadyPreview {
  const preview = heldPreviewsOf(store).get(actor, previewId)
  if (preview.status === 'ready') return preview
  throw new AppError(
    'conflict',
    preview.status === 'reading' ? 'This file is still being read.' : preview.failure.message,
  )
}

/** Returns the number of rows that can be read from the held content: all, unless the file is longer than the content that is held. */
function readableRows({ analysis: { index, totals }, content, file }: ReadyPreview): number {
  if (content.bytes >= file.bytes) return totals.rows
  return index.checkpoints.findLast(({ byte }) => byte <= content.bytes)?.row ?? 0
}

/** Returns the number of flagged rows that can be read from the held content. */
function readableFlaggedRows(preview: ReadyPreview): number {
  const { flagged } = preview.analysis.index
  const rows = readableRows(preview)
  return rows === preview.analysis.totals.rows ? flagged.count : countUpTo(flagged, rows)
}

type Window = { show: 'all' | 'flagged'; after: number; limit: number }

/**
 * Reads rows of a preview again from its content in memory, and compares them with the records and the do-not-contact list as they are now. Nothing
 * cancels the read, because it takes some milliseconds. Errors: `too_many_waiting`, `unavailable`.
 */
export function readRows(store: Store, preview: ReadyPreview, window: Window): Promise<CsvRow[]> {
  const { owner, analysis, content, phoneRegion } = preview
  const { dialect, columns, index } = analysis
  const from = { tenantId: owner.tenantId, form: { dialect, columns }, phoneRegion, rows: readableRows(preview) }
  return runWindow(store.dataDir, content, { ...from, index, ...window }, new AbortController().signal)
}

/**
 * Lists the rows of a preview, all or those with a finding. Errors: `not_found`, `conflict` (not ready), `invalid_request` (a cursor of another
 * list), `too_many_waiting`, `unavailable`.
 */
export async function listCsvRows(
  store: Store,
  cursors: Cursors,
  actor: UserActor,
  previewId: string,
  {
    show,
    limit,
    after: first,
    cursor,
  }: { show: 'all' | 'flagged'; limit: number; after: number; cursor?: string | undefined },
): Promise<CsvRowPage> {
  const preview = requireReady(store, actor, previewId)
  const binding = [actor.tenantId, 'csv-rows', previewId, show]
  const [position = first] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const after = Number(position)
  const rows = await readRows(store, preview, { show, after, limit: limit + 1 })
  const cursorAfter = ({ row }: CsvRow) => cursors.encode(binding, [row])
  const last = rows.at(-1)
  const isCut = last !== undefined && rows.length <= limit && hasMore(preview, show, last.row)
  return toPage({
    rows,
    limit,
    toItem: rowAnswer,
    cursorAfter,
    total: totalRows(preview, show),
    stoppedAt: isCut ? cursorAfter(last) : undefined,
  })
}

/** Counts the rows that can be listed. The end of a very long file is not held, so more rows match than these. */
function totalRows(preview: ReadyPreview, show: Window['show']): Total {
  const { totals, index } = preview.analysis
  const [listed, all] =
    show === 'all' ? [readableRows(preview), totals.rows] : [readableFlaggedRows(preview), index.flagged.count]
  const counts = listed < all ? 'more_than' : 'matching_set'
  return { value: listed, counts, asOf: preview.createdAt.toISOString() }
}

/** True if there are more rows after this row, because long rows ended the page early. */
function hasMore(preview: ReadyPreview, show: Window['show'], row: number): boolean {
  const rows = readableRows(preview)
  if (show === 'all') return row < rows
  const [next = rows + 1] = rowsAfter(preview.analysis.index.flagged, row, 1)
  return next <= rows
}

const fromOne = <Found extends { column: number }>(found: Found): Found => ({ ...found, column: found.column + 1 })

function rowAnswer(row: CsvRow): CsvRowPage['items'][number] {
  return {
    ...row,
    cut: row.cut.map((column) => column + 1),
    problems: row.problems.map(fromOne),
    notes: row.notes.map(fromOne),
    duplicates: row.duplicates.map((found) => ({ ...found, column: found.column === null ? null : found.column + 1 })),
    matches: row.matches.map(fromOne),
    values: row.values.map(fromOne),
    suppressed: row.suppressed.map((column) => column + 1),
  }
}

/** Builds the response for a preview in any state. */
export function previewAnswer(preview: HeldPreview): CsvPreviewState {
  const { id, createdAt, expiresAt, file } = preview
  const about = { id, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString(), file }
  switch (preview.status) {
    case 'ready':
      return readyAnswer(preview, about)
    case 'reading':
      return { ...about, status: 'reading', jobId: preview.jobId, progress: preview.progress }
    case 'failed':
      return { ...about, status: 'failed', jobId: preview.jobId, failure: preview.failure }
  }
}

/** Builds the response for a preview whose file was read. Columns count from 1. */
function readyAnswer(
  preview: ReadyPreview,
  about: Pick<CsvPreview, 'id' | 'createdAt' | 'expiresAt' | 'file'>,
): CsvPreview {
  const { dialect, doubts, headerChoices, columns, totals, fault, malformed } = preview.analysis
  return {
    ...about,
    status: 'ready',
    dialect: {
      encoding: dialect.encoding,
      delimiter: nameOf(delimiterNames, dialect.delimiter),
      quote: nameOf(quoteNames, dialect.quote),
      hasHeader: dialect.headerLine !== null,
      headerLine: dialect.headerLine,
      hasByteOrderMark: dialect.hasByteOrderMark,
      hasDelimiterLine: dialect.hasDelimiterLine,
      lineEnds: dialect.lineEnds,
    },
    doubts,
    headerChoices,
    columns: columns.map((column, place) => ({ column: place + 1, ...column })),
    totals: { ...totals, problems: listed(totals.problems), notes: listed(totals.notes) },
    kept: { rows: readableRows(preview), flaggedRows: readableFlaggedRows(preview) },
    malformed,
    fault,
  }
}

/** Returns counts as a list, most frequent first. */
function listed<Code extends string>(counts: Partial<Record<Code, number>>): { code: Code; cells: number }[] {
  return (Object.entries(counts) as [Code, number][])
    .map(([code, cells]) => ({ code, cells }))
    .sort((a, b) => b.cells - a.cells)
}
