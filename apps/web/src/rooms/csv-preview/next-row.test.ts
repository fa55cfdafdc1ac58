import type { CsvRow } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { findNextRow } from './next-row.ts'
import { markAt } from './row-marks.ts'

type Kind = CsvRow['matches'][number]['kind']
const rowOf = (row: number, kinds: Kind[], doNotContact = false) =>
  ({
    row,
    said: null,
    doNotContact,
    matches: kinds.map((kind) => ({ column: 1, kind, businessId: 'b', name: 'Karoo', doNotContact })),
  }) as unknown as CsvRow

const nextOf = (rows: CsvRow[]) =>
  findNextRow(
    { sha256: '', marks: '', row: 0, tags: [] },
    { after: 0, rows: rows.length, read: async (after) => rows.slice(after), isRecorded: () => false },
  )

test('a row that shares only a web domain with a prospect is opened, and one that shares a number or an address is known', async () => {
  const found = await nextOf([rowOf(1, ['phone']), rowOf(2, ['domain', 'email']), rowOf(3, ['domain'])])
  expect(found.row?.row).toBe(3)
  expect([1, 2, 3].map((row) => markAt(found.work.marks, row))).toEqual(['known', 'known', null])
})

test('a row whose domain belongs to a prospect that is do not contact stays blocked', async () => {
  const found = await nextOf([rowOf(1, ['domain'], true)])
  expect(found.row).toBeNull()
  expect(markAt(found.work.marks, 1)).toBe('blocked')
})
