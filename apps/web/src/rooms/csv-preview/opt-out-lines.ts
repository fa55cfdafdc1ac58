import type { CsvPreview, CsvRow } from '@prospect/api-client'
import { MOST_PASTED_LINES } from '../../ui/prospects/pasted-lines.ts'
import { textsOf } from './row-prefill.ts'

/** Maximum number of rows that are read at once. */
const ROWS_AT_ONCE = 100

/**
 * Emails and phones of rows whose file says do not contact, as lines for the do-not-contact list. A web domain may be shared, so it is left out. So is
 * a value that is on the list now: what a previous attempt added is not offered again.
 */
export async function optOutLines(
  preview: CsvPreview,
  rows: readonly number[],
  read: (after: number, limit: number) => Promise<CsvRow[]>,
): Promise<string[]> {
  const lines: string[] = []
  const wanted = new Set(rows)
  let left = rows
  while (left.length > 0 && lines.length < MOST_PASTED_LINES) {
    const [first = 1] = left
    const last = left.findLast((row) => row < first + ROWS_AT_ONCE) ?? first
    const found = await read(first - 1, last - first + 1)
    for (const row of found) if (wanted.has(row.row)) lines.push(...valuesOf(preview, row))
    // Long rows end a window early.
    const end = found.at(-1)?.row ?? first
    left = left.filter((row) => row > end)
  }
  return [...new Set(lines)].slice(0, MOST_PASTED_LINES)
}

function valuesOf({ columns }: CsvPreview, row: CsvRow): string[] {
  return columns.flatMap(({ column, field }) => {
    if (field !== 'email' && field !== 'phone') return []
    const texts = textsOf(row, column)
    // One of several values in a cell can be on the list without the others.
    return row.suppressed.includes(column) && texts.length === 1 ? [] : texts
  })
}
