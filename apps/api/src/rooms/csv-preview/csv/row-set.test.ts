import { expect, test } from 'vitest'
import { countUpTo, createRowSet, rowsAfter } from './row-set.ts'

test('the rows after a row are listed in order, up to the limit', () => {
  const set = createRowSet()
  for (const row of [20_000, 1, 7, 8, 9, 7]) set.add(row)
  const rows = set.finish()
  expect(rows.count).toBe(5)
  expect(rowsAfter(rows, 0, 10)).toEqual([1, 7, 8, 9, 20_000])
  expect(rowsAfter(rows, 7, 2)).toEqual([8, 9])
})

test('the rows up to a row are counted', () => {
  const set = createRowSet()
  const all = [1, 6, 7, 8, 9, 15, 16, 8_190, 8_191, 8_192]
  for (const row of all) set.add(row)
  const rows = set.finish()
  for (const row of [0, 1, 5, 6, 7, 8, 14, 15, 16, 17, 8_190, 8_191, 8_192, 1_000_000])
    expect(countUpTo(rows, row)).toBe(all.filter((one) => one <= row).length)
})

test.each([20_000, 2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER - 1])(
  'no row is after row %i, which is beyond the set',
  (row) => {
    const set = createRowSet()
    for (let one = 1; one <= 20_000; one++) set.add(one)
    expect(rowsAfter(set.finish(), row, 10)).toEqual([])
  },
)
