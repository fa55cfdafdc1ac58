import type { CsvField, CsvPreview } from '@prospect/api-client'

const checkedFields: readonly (CsvField | null)[] = ['email', 'phone', 'domain']

export const nothingIsChecked = (columns: readonly Pick<CsvPreview['columns'][number], 'field'>[]): boolean =>
  !columns.some(({ field }) => checkedFields.includes(field))

/** Counts with their labels. Null if no mapped column can be looked up, which is not the same as zero. */
export function summaryCounts({ totals, columns }: Pick<CsvPreview, 'totals' | 'columns'>): [string, number | null][] {
  const checked = (count: number) => (nothingIsChecked(columns) ? null : count)
  return [
    ['rows read', totals.rows],
    ['with problems', totals.rowsWithProblems],
    ['duplicates in the file', totals.duplicateRows],
    ['already in Prospects', checked(totals.matchingRows)],
    ['do not contact', checked(totals.doNotContactRows)],
    ['unreadable', totals.malformedRows],
    ...(totals.rowsBeforeHeader > 0 ? [['before the column names', totals.rowsBeforeHeader] as [string, number]] : []),
  ]
}
