import { expect, test } from 'vitest'
import { withRow } from './recorded-rows.ts'

const row = (reference: string, businessId: string) => ({ reference, businessId, isNew: false })

test('a recorded row is stored once per record, newest first, with at most 1,000 rows', () => {
  const first = withRow([row('row 1', 'a'), row('row 2', 'a')], row('row 1', 'b'))
  expect(first).toEqual([row('row 1', 'b'), row('row 1', 'a'), row('row 2', 'a')])
  expect(withRow(first, { ...row('row 2', 'a'), isNew: true })).toEqual([
    { ...row('row 2', 'a'), isNew: true },
    row('row 1', 'b'),
    row('row 1', 'a'),
  ])
  const many = Array.from({ length: 1_000 }, (_, index) => row(`row ${index}`, 'a'))
  expect(withRow(many, row('row x', 'a'))).toHaveLength(1_000)
})
