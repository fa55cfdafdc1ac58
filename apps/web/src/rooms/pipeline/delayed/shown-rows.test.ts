import type { BusinessSummary } from '@prospect/api-client'
import { expect, test } from 'vitest'
import type { PendingMove } from '../../../ui/prospects/pending-moves.ts'
import { withMoves } from './shown-rows.ts'

const row = (id: string, pipelineState: 'new' | 'contacted' = 'new') => ({ id, pipelineState }) as BusinessSummary
const total = (value: number) => ({ value, counts: 'matching_set' as const, asOf: '2026-11-26T10:00:00.000Z' })
const move = (id: string, phase: PendingMove['phase'] = 'waiting'): PendingMove => ({
  businessId: id,
  name: id,
  from: 'new',
  to: 'contacted',
  reason: null,
  version: 1,
  key: id,
  row: row(id),
  phase,
  words: '',
  settle: () => Promise.resolve(),
})
const ids = ({ rows }: { rows: BusinessSummary[] }) => rows.map(({ id }) => id)

test('a pending move shows its card first in the new column, and both totals follow', () => {
  const before = withMoves({ rows: [row('a'), row('b')], total: total(2) }, 'new', [move('a')])
  expect(ids(before)).toEqual(['b'])
  expect(before.total?.value).toBe(1)
  const after = withMoves({ rows: [row('c', 'contacted')], total: total(1) }, 'contacted', [move('a')])
  expect(ids(after)).toEqual(['a', 'c'])
  expect(after.rows[0]?.pipelineState).toBe('contacted')
  expect(after.total?.value).toBe(2)
})

test('a total that is not exact stays as it is', () => {
  const moreThan = { ...total(10_000), counts: 'more_than' as const }
  expect(withMoves({ rows: [row('a')], total: moreThan }, 'new', [move('a')]).total).toEqual(moreThan)
})

test('a card that the server already lists in the new column is not duplicated', () => {
  const column = { rows: [row('a', 'contacted')], total: total(1) }
  expect(withMoves(column, 'contacted', [move('a', 'sending')])).toBe(column)
})

test('a failed move changes nothing', () => {
  const column = { rows: [row('a')], total: total(1) }
  expect(withMoves(column, 'new', [move('a', 'refused')])).toBe(column)
  expect(ids(withMoves({ rows: [], total: null }, 'contacted', [move('a', 'unsaved')]))).toEqual([])
})
