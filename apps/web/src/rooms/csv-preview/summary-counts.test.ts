import type { CsvPreview } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { summaryCounts } from './summary-counts.ts'

const countsWith = (...fields: CsvPreview['columns'][number]['field'][]) => {
  const columns = fields.map((field, at) => ({ column: at + 1, name: null, field, suggested: null, because: null }))
  const totals = {
    rows: 3,
    blankLines: 0,
    rowsBeforeHeader: 0,
    malformedRows: 0,
    rowsWithProblems: 0,
    duplicateRows: 0,
  }
  const found = { matchingRows: 0, doNotContactRows: 0, unknownRows: 0, problems: [], notes: [] }
  return Object.fromEntries(summaryCounts({ columns, totals: { ...totals, ...found } }))
}

test('counts are unknown without a column to look up; with an email, phone or domain column no match is a zero', () => {
  const unknown = { 'already in Prospects': null, 'do not contact': null, 'rows read': 3, 'with problems': 0 }
  expect(countsWith('name', null, 'address.city')).toMatchObject(unknown)
  expect(countsWith()).toMatchObject(unknown)
  for (const field of ['email', 'phone', 'domain'] as const)
    expect(countsWith('name', field)).toMatchObject({ 'already in Prospects': 0, 'do not contact': 0 })
})
