import type { CsvRow } from '@prospect/api-client'
import { type FileWork, markAt, nextUnmarked, type RowMark, withMark } from './row-marks.ts'

/** Number of rows that are read at once. Most rows of a list are open, so the first one is usually among them. */
const ROWS_AT_ONCE = 20

/**
 * Returns why a row is passed over, or null for a row to work on. `isRecorded`: this browser created a prospect from the row, or recorded it on one.
 * A row that could not be checked, or for which the file is unclear, is a row to work on: the person decides. So is a row that shares only a web domain
 * with a record, because several businesses can have one domain.
 */
function markOf(row: CsvRow, isRecorded: boolean): RowMark | null {
  if (isRecorded) return 'done'
  if (row.said === 'yes') return 'optOut'
  if (row.doNotContact === true) return 'blocked'
  return row.matches.some(({ kind }) => kind !== 'domain') ? 'known' : null
}

export type Found = { work: FileWork; row: CsvRow | null }

/**
 * Finds the next row to work on after a row, and marks those that are passed over. `read` returns the rows after a row. If there is none until the
 * end of the file, the rows before are searched.
 */
export async function findNextRow(
  work: FileWork,
  {
    after,
    rows,
    read,
    isRecorded,
  }: {
    after: number
    rows: number
    read: (after: number, limit: number) => Promise<CsvRow[]>
    isRecorded: (row: CsvRow) => boolean
  },
): Promise<Found> {
  let { marks } = work
  let from = after
  let hasWrapped = after === 0
  for (;;) {
    const wanted = nextUnmarked(marks, from, rows)
    if (wanted === null) {
      if (hasWrapped) return { work: { ...work, marks }, row: null }
      hasWrapped = true
      from = 0
      continue
    }
    const window = await read(wanted - 1, ROWS_AT_ONCE)
    for (const row of window) {
      if (markAt(marks, row.row) !== null) continue
      const mark = markOf(row, isRecorded(row))
      if (mark === null) return { work: { ...work, marks, row: row.row }, row }
      marks = withMark(marks, row.row, mark)
    }
    // Without a row after this one the file cannot be read further.
    const last = window.at(-1)?.row
    if (last === undefined) return { work: { ...work, marks }, row: null }
    from = last
  }
}
