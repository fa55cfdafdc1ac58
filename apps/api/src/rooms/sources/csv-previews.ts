import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Cursors } from '../../http/pagination.ts'
import { toPage } from '../../http/pagination.ts'
import type { UserActor } from '../../lib/actor.ts'
import { newId } from '../../lib/ids.ts'
import { type ChangeOptions, change } from '../../store/change.ts'
import type { Store } from '../../store/store.ts'
import type { Analysis, KeptRow } from './csv/analysis.ts'
import type { Lane } from './csv/run-analysis.ts'
import { runAnalysis } from './csv/run-analysis.ts'
import { type HeldPreview, heldLimits, heldPreviewsOf } from './held-previews.ts'
import { receiveUpload, type Upload } from './receive-upload.ts'
import {
  type CreateCsvPreview,
  type CsvPreview,
  type CsvRowPage,
  delimiterNames,
  nameOf,
  quoteNames,
} from './sources.schema.ts'
import type { TemporaryFiles } from './temporary-files.ts'

const MINUTE_MS = 60_000
/** Up to here a file is read in the lane that answers at once. */
const SMALL_BYTES = 2_000_000

export type PreviewContext = { store: Store; files: TemporaryFiles; maxBytes: number }
type Wanted = { actor: UserActor; query: CreateCsvPreview; signal: AbortSignal }

/**
 * Reads an uploaded CSV file and holds what it would be read as, for minutes and for this person (Global rule 4: a preview is no import,
 * rows are not persisted). The file lies in a temporary folder while it is read and goes on every way out. The audit keeps counts, size
 * and hash; neither the file's name nor anything in it is kept or logged.
 * Errors: `too_large`, `invalid_request` for an upload that broke off, `unavailable`.
 */
export async function createCsvPreview(
  { store, files, maxBytes }: PreviewContext,
  body: Readable,
  wanted: Wanted & { idempotency: (upload: Upload) => ChangeOptions['idempotency'] },
): Promise<{ preview: HeldPreview; replayed: boolean }> {
  const { actor, query, signal } = wanted
  const folder = files.folder()
  try {
    const path = join(folder.path, 'upload.csv')
    const file = await receiveUpload(body, path, maxBytes)
    const analysis = await analyse(store, path, { actor, query, signal }, file.bytes > SMALL_BYTES ? 'large' : 'small')
    const id = newId()
    const options = { permission: 'sources.preview', action: 'source.preview', idempotency: wanted.idempotency(file) }
    const { value, replayed } = await change(store, actor, options, async (tx) => {
      await tx.record({ subject: { type: 'csv_preview', id }, after: auditOf(file, analysis) })
      return { id }
    })
    const held = heldPreviewsOf(store)
    const createdAt = store.clock()
    const expiresAt = new Date(createdAt.getTime() + heldLimits.minutes * MINUTE_MS)
    // A replay does nothing a second time; a preview that is gone by then is held again under its own id.
    const preview = { id: value.id, owner: actor, createdAt, expiresAt, file, analysis }
    held.hold(preview)
    return { preview, replayed }
  } finally {
    folder.remove()
  }
}

function analyse(store: Store, path: string, { actor, query, signal }: Wanted, lane: Lane): Promise<Analysis> {
  const { encoding, delimiter, quote, header: hasHeader, mapping, phoneRegion = null } = query
  const request = {
    path,
    tenantId: actor.tenantId,
    chosen: { encoding, delimiter, quote, hasHeader },
    mapping,
    phoneRegion,
  }
  return runAnalysis({ dataDir: store.dataDir, request, lane, signal })
}

/** Counts, size and hash: nothing that stands in the file, not even the names of its columns. */
function auditOf(file: Upload, { columns, totals, fault }: Analysis): Record<string, unknown> {
  const { rows, malformedRows, rowsWithProblems, duplicateRows, matchingRows, doNotContactRows } = totals
  return {
    ...file,
    columns: columns.length,
    rows,
    malformedRows,
    rowsWithProblems,
    duplicateRows,
    matchingRows,
    doNotContactRows,
    fault: fault?.code ?? null,
  }
}

/** A page of the rows that are held. Errors: `not_found`, `invalid_request` for a cursor of another list. */
export function listCsvRows(
  store: Store,
  cursors: Cursors,
  actor: UserActor,
  previewId: string,
  { show, limit, cursor }: { show: 'first' | 'flagged'; limit: number; cursor?: string | undefined },
): CsvRowPage {
  const { analysis, createdAt } = heldPreviewsOf(store).get(actor, previewId)
  const rows = show === 'first' ? analysis.firstRows : analysis.flaggedRows
  const binding = [actor.tenantId, 'csv-rows', previewId, show]
  const [after = 0] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const from = rows.findIndex(({ row }) => row > Number(after))
  return toPage({
    rows: from === -1 ? [] : rows.slice(from, from + limit + 1),
    limit,
    toItem: rowAnswer,
    cursorAfter: ({ row }) => cursors.encode(binding, [row]),
    total: { value: rows.length, counts: 'matching_set', asOf: createdAt.toISOString() },
  })
}

const fromOne = <Found extends { column: number }>(found: Found): Found => ({ ...found, column: found.column + 1 })

function rowAnswer(row: KeptRow): CsvRowPage['items'][number] {
  return {
    ...row,
    cut: row.cut.map((column) => column + 1),
    problems: row.problems.map(fromOne),
    notes: row.notes.map(fromOne),
    duplicates: row.duplicates.map((found) => ({ ...found, column: found.column === null ? null : found.column + 1 })),
    matches: row.matches.map(fromOne),
    suppressed: row.suppressed.map((column) => column + 1),
  }
}

/** A preview as it is answered: columns count from 1. */
export function previewAnswer({ id, createdAt, expiresAt, file, analysis }: HeldPreview): CsvPreview {
  const { dialect, doubts, columns, totals, fault, malformed, firstRows, flaggedRows } = analysis
  return {
    id,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    file,
    dialect: {
      encoding: dialect.encoding,
      delimiter: nameOf(delimiterNames, dialect.delimiter),
      quote: nameOf(quoteNames, dialect.quote),
      hasHeader: dialect.hasHeader,
      hasByteOrderMark: dialect.hasByteOrderMark,
      lineEnds: dialect.lineEnds,
    },
    doubts,
    columns: columns.map((column, place) => ({ column: place + 1, ...column })),
    totals: { ...totals, problems: listed(totals.problems), notes: listed(totals.notes) },
    kept: { firstRows: firstRows.length, flaggedRows: flaggedRows.length },
    malformed,
    fault,
  }
}

/** The most frequent first. */
function listed<Code extends string>(counts: Partial<Record<Code, number>>): { code: Code; cells: number }[] {
  return (Object.entries(counts) as [Code, number][])
    .map(([code, cells]) => ({ code, cells }))
    .sort((a, b) => b.cells - a.cells)
}
