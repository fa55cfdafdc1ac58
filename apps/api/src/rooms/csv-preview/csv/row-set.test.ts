import { expect, test } from 'vitest'
import { createRowSet, rowsAfter } from './row-set.ts'

test('the rows after a row are listed in order, up to the limit', () => {
  const set = createRowSet()
  for (const row of [20_000, 1, 7, 8, 9, 7]) set.add(row)
  const rows = set.finish()
  expect(rows.count).toBe(5)
  expect(rowsAfter(rows, 0, 10)).toEqual([1, 7, 8, 9, 20_000])
  expect(rowsAfter(rows, 7, 2)).toEqual([8, 9])
})

test.each([20_000, 2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER - 1])(
  'no row is after row %i, which is beyond the set',
  (row) => {
    const set = createRowSet()
    for (let one = 1; one <= 20_000; one++) set.add(one)
    expect(rowsAfter(set.finish(), row, 10)).toEqual([])
  },
)
