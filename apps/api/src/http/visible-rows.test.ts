import { expect, test } from 'vitest'
import { countVisibleRows, readVisibleRows, visibleRowLimits } from './visible-rows.ts'

/** A list of numbers of which those for which `isVisible` returns true are visible. Records how many rows are read. */
function listOf(length: number, isVisible: (row: number) => boolean) {
  const work = { rows: 0 }
  const readerAfter = (start: number | undefined) => ({
    read: async (after = start, limit: number) => {
      const first = after === undefined ? 0 : after + 1
      const rows = Array.from({ length: Math.max(0, Math.min(limit, length - first)) }, (_, at) => first + at)
      work.rows += rows.length
      return rows
    },
    onlyVisible: async (rows: readonly number[]) => rows.filter(isVisible),
  })
  return {
    work,
    page: (after: number | undefined, limit: number) => readVisibleRows(readerAfter(after), limit),
    readerAfter,
  }
}

test('a page is filled with the rows after the hidden ones', async () => {
  const { page } = listOf(1_000, (row) => row % 100 === 0)
  expect(await page(undefined, 3)).toEqual({ rows: [0, 100, 200], stoppedAfter: undefined })
  expect(await page(700, 3)).toEqual({ rows: [800, 900], stoppedAfter: undefined })
})

test('one page reads a bounded number of rows, and the next one continues where it stopped', async () => {
  const length = 2 * visibleRowLimits.rowsRead + 10
  for (const limit of [1, 11, 201]) {
    const { page, work } = listOf(length, (row) => row === 0 || row === length - 1)
    const found: number[] = []
    let after: number | undefined
    for (let pages = 0; pages < 4; pages++) {
      work.rows = 0
      const { rows, stoppedAfter } = await page(after, limit)
      expect(work.rows).toBeLessThanOrEqual(visibleRowLimits.rowsRead)
      found.push(...rows)
      after = stoppedAfter ?? (rows.length < limit ? length : rows.at(-1))
    }
    expect(found).toEqual([0, length - 1])
  }
})

test('a count reads a bounded number of rows too, and is not whole then', async () => {
  const count = (length: number, isVisible: (row: number) => boolean) =>
    countVisibleRows(listOf(length, isVisible).readerAfter(undefined), 100)
  expect(await count(1_000, (row) => row % 20 === 0)).toEqual({ count: 50, isWhole: true })
  expect(await count(1_000, () => true)).toEqual({ count: 100, isWhole: false })
  const { readerAfter, work } = listOf(20_000, () => false)
  expect(await countVisibleRows(readerAfter(undefined), 100)).toEqual({ count: 0, isWhole: false })
  expect(work.rows).toBe(visibleRowLimits.rowsRead)
})
