import type { CsvPreview, CsvRow } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { optOutLines } from './opt-out-lines.ts'

const columns = [
  { column: 1, field: 'phone' },
  { column: 2, field: 'email' },
] as CsvPreview['columns']
const preview = { columns } as CsvPreview

/** Reads rows of a file with 1,000 rows, at most `most` rows at once, and notes each read. */
function fileOf(most: number) {
  const reads: [number, number][] = []
  const read = async (after: number, limit: number) => {
    reads.push([after, limit])
    const count = Math.max(0, Math.min(limit, most, 1_000 - after))
    return Array.from({ length: count }, (_, n) => {
      const row = after + n + 1
      return {
        row,
        cells: [`082 ${row}`, row % 2 === 0 ? '' : `row${row}@a.co.za`],
        values: [],
        suppressed: [] as number[],
      } as unknown as CsvRow
    })
  }
  return { reads, read }
}

const linesOf = (rows: number[]) =>
  rows.flatMap((row) => (row % 2 === 0 ? [`082 ${row}`] : [`082 ${row}`, `row${row}@a.co.za`]))

test('rows near each other are read at once, and the rows between them are not used', async () => {
  const { reads, read } = fileOf(1_000)
  const rows = [3, 5, 102, 103, 900]
  expect(await optOutLines(preview, rows, read)).toEqual(linesOf(rows))
  expect(reads).toEqual([
    [2, 100],
    [102, 1],
    [899, 1],
  ])
})

test('a window that ends early is continued', async () => {
  const { reads, read } = fileOf(2)
  expect(await optOutLines(preview, [1, 2, 3, 4, 5], read)).toEqual(linesOf([1, 2, 3, 4, 5]))
  expect(reads).toEqual([
    [0, 5],
    [2, 3],
    [4, 1],
  ])
})

test('a row that cannot be read is omitted', async () => {
  const { read } = fileOf(1_000)
  expect(await optOutLines(preview, [1_000, 1_001], read)).toEqual(linesOf([1_000]))
})

test('a value that is on the do-not-contact list is not offered again, but the others of its row and of its cell are', async () => {
  const values = [{ column: 1, kind: 'phone', texts: ['082 1', '082 2'] }]
  const rows = [
    { row: 1, cells: ['082 5', 'stop@a.co.za'], values: [], suppressed: [1] },
    { row: 2, cells: ['082 1; 082 2', ''], values, suppressed: [1] },
  ] as unknown as CsvRow[]
  const read = async (after: number, limit: number) => rows.slice(after, after + limit)
  expect(await optOutLines(preview, [1, 2], read)).toEqual(['stop@a.co.za', '082 1', '082 2'])
})

test('a list with more than 1,000 opt-outs is offered as a whole', async () => {
  const many = Array.from({ length: 1_500 }, (_, n) => ({
    row: n + 1,
    cells: [`082 ${n}`, ''],
    values: [],
    suppressed: [],
  }))
  const read = async (after: number, limit: number) => (many as unknown as CsvRow[]).slice(after, after + limit)
  const rows = many.map(({ row }) => row)
  expect(await optOutLines(preview, rows, read)).toHaveLength(1_500)
})
