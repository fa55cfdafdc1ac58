import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { type CsvRow, type Form, keptLimits } from './analysis.ts'
import { type CheckedRow, createRowCheck } from './check-row.rules.ts'
import { CsvFault } from './dialect.ts'
import { readKnownValues } from './known-values.ts'
import { createLookUps } from './look-up-rows.ts'
import type { ReadAt } from './read-at.ts'
import { createRecordReader } from './record-reader.ts'
import { type Checkpoint, checkpointBefore, duplicatesOf, type RowIndex } from './row-index.ts'
import { rowsAfter } from './row-set.ts'
import type { SuppressionCheck } from './suppressed-values.ts'
import { textPieces } from './text-pieces.ts'

/** Rows to read: the first `limit` after a row, all of them or those with a finding. `form`: as the analysis of the file found it. */
export type WindowRequest = {
  tenantId: string
  form: Form
  phoneRegion: string | null
  index: RowIndex
  /** number of rows that can be read */
  rows: number
  show: 'all' | 'flagged'
  after: number
  limit: number
}

/**
 * Reads some rows of a file again, and looks their values up in the store as it is now. The page has fewer rows than the limit if they are long. The
 * suppression check is asked about each value, so it needs no preparation.
 */
export async function readWindow(
  db: Kysely<Database>,
  suppression: SuppressionCheck,
  read: ReadAt,
  request: WindowRequest,
): Promise<CsvRow[]> {
  const { tenantId, form, phoneRegion, index } = request
  const cellsByRow = readCells(read, form, index, wantedRows(request))
  const check = createRowCheck({
    mapping: form.columns.map(({ field }) => field),
    width: form.columns.length,
    delimiter: form.dialect.delimiter,
    phoneRegion,
  })
  const checked = new Map(
    [...cellsByRow].map(([row, { cells, isOverLines }]): [number, CheckedRow] => [
      row,
      copyOf(check(cells, isOverLines)),
    ]),
  )
  const known = await readKnownValues(db, { tenantId, fileBytes: 0 })
  const found = await createLookUps(suppression, known).find(checked)
  const duplicates = duplicatesOf(index, new Set(checked.keys()))
  const rows: CsvRow[] = []
  for (const [row, one] of checked) {
    const { matches = [], suppressed = [], isBlocked = false, isUnchecked = true } = found.get(row) ?? {}
    const { said, problems, notes } = one
    rows.push({
      row,
      line: cellsByRow.get(row)?.line ?? 0,
      ...shortened(one.cells),
      problems,
      notes,
      duplicates: duplicates.get(row) ?? [],
      matches,
      values: valuesWithin(one),
      suppressed,
      said,
      doNotContact: isUnchecked || (said === 'unclear' && !isBlocked) ? null : isBlocked,
    })
  }
  return rows
}

function wantedRows({ show, after, limit, rows, index }: WindowRequest): number[] {
  if (show === 'flagged') return rowsAfter(index.flagged, after, limit).filter((row) => row <= rows)
  return Array.from({ length: Math.max(0, Math.min(limit, rows - after)) }, (_, place) => after + 1 + place)
}

type ReadRow = { cells: string[]; line: number; isOverLines: boolean }

/** Reads the wanted rows, each from the checkpoint before it or from the wanted row before it, whichever is nearer. */
function readCells(read: ReadAt, form: Form, index: RowIndex, wanted: readonly number[]): Map<number, ReadRow> {
  const found = new Map<number, ReadRow>()
  let characters = 0
  let next = 0
  while (next < wanted.length && characters < keptLimits.pageCharacters) {
    const from = checkpointBefore(index, wanted[next] ?? 0)
    const before = next
    eachRow(read, form, from, (row, one) => {
      if (row !== wanted[next]) return true
      found.set(row, one)
      characters += one.cells.reduce((sum, cell) => sum + Math.min(cell.length, keptLimits.cellCharacters), 0)
      next += 1
      const following = wanted[next]
      if (following === undefined || characters >= keptLimits.pageCharacters) return false
      return checkpointBefore(index, following).row <= row
    })
    if (next === before) break
  }
  return found
}

/** Calls `take` for each row from a checkpoint on, until it returns false or the file cannot be read further. */
function eachRow(
  read: ReadAt,
  { dialect, columns }: Form,
  { row: before, line: firstLine, byte }: Checkpoint,
  take: (row: number, one: ReadRow) => boolean,
): void {
  let row = before
  let isOver = false
  const reader = createRecordReader(
    { ...dialect, width: columns.length, firstLine },
    {
      row: (cells, line, isOverLines) => {
        if (isOver || line <= (dialect.headerLine ?? 0) || (line === 1 && dialect.hasDelimiterLine)) return
        row += 1
        isOver = !take(row, { cells, line, isOverLines })
      },
      malformed: () => {},
      blankLine: () => {},
    },
  )
  try {
    for (const part of textPieces(read, dialect.encoding, { from: byte })) {
      reader.push('text' in part ? part.text : part.textBefore)
      if (isOver) return
    }
    reader.end()
  } catch (error) {
    // The analysis reported this fault. The rows before it are read.
    if (!(error instanceof CsvFault)) throw error
  }
}

/** Copies a checked row, because the check uses its lists again. */
function copyOf({ problems, notes, contacts, numbers, ...row }: CheckedRow): CheckedRow {
  return {
    ...row,
    problems: [...problems],
    notes: [...notes],
    contacts: contacts.map((one) => ({ ...one })),
    numbers: [...numbers],
  }
}

function shortened(cells: readonly string[]): Pick<CsvRow, 'cells' | 'cut'> {
  const cut: number[] = []
  const shown = cells.map((cell, column) => {
    if (cell.length <= keptLimits.cellCharacters) return cell
    cut.push(column)
    return cell.slice(0, keptLimits.cellCharacters)
  })
  return { cells: shown, cut }
}

/** Returns the values within cells that are none as a whole. */
function valuesWithin({ contacts, numbers }: CheckedRow): CsvRow['values'] {
  const ofContacts = contacts.flatMap(({ column, kind, within }) =>
    within.length === 0 ? [] : [{ column, kind, texts: within.map(({ text }) => text) }],
  )
  return [...ofContacts, ...numbers.map(({ column, text }) => ({ column, kind: 'number' as const, texts: [text] }))]
}
