import type { CsvPreview, CsvRow } from '@prospect/api-client'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { onOneLine } from '../../ui/text/on-one-line.ts'

/** Emails and phones of rows whose file says do not contact, as lines for the do-not-contact list. A web domain may be shared, so it is left out. */
export async function optOutLines(
  preview: CsvPreview,
  rows: readonly number[],
  read: (after: number, limit: number) => Promise<CsvRow[]>,
): Promise<string[]> {
  const lines: string[] = []
  for (const number of rows) {
    const [row] = await read(number - 1, 1)
    if (row !== undefined) lines.push(...valuesOf(preview, row))
    if (lines.length >= inputLimits.pastedLineCount) break
  }
  return [...new Set(lines)].slice(0, inputLimits.pastedLineCount)
}

function valuesOf({ columns }: CsvPreview, { cells, values }: CsvRow): string[] {
  return columns.flatMap(({ column, field }) => {
    if (field !== 'email' && field !== 'phone') return []
    const texts = values.find((one) => one.column === column)?.texts ?? [cells[column - 1] ?? '']
    return texts.map(onOneLine).filter((text) => text.trim() !== '')
  })
}
