import type { CsvPreview, CsvRow } from '@prospect/api-client'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { textsOf } from './row-prefill.ts'

/** Maximum number of rows that are read at once. */
const ROWS_AT_ONCE = 100

/** Emails and phones of rows whose file says do not contact, as lines for the do-not-contact list. A web domain may be shared, so it is left out. */
export async function optOutLines(
  preview: CsvPreview,
  rows: readonly number[],
  read: (after: number, limit: number) => Promise<CsvRow[]>,
): Promise<string[]> {
  const lines: string[] = []
  const wanted = new Set(rows)
  let left = rows
  while (left.length > 0 && lines.length < inputLimits.pastedLineCount) {
    const [first = 1] = left
    const last = left.findLast((row) => row < first + ROWS_AT_ONCE) ?? first
    const found = await read(first - 1, last - first + 1)
    for (const row of found) if (wanted.has(row.row)) lines.push(...valuesOf(preview, row))
    // Long rows end a window early.
    const end = found.at(-1)?.row ?? first
    left = left.filter((row) => row > end)
  }
  return [...new Set(lines)].slice(0, inputLimits.pastedLineCount)
}

function valuesOf({ columns }: CsvPreview, row: CsvRow): string[] {
  return columns.flatMap(({ column, field }) => (field === 'email' || field === 'phone' ? textsOf(row, column) : []))
}
