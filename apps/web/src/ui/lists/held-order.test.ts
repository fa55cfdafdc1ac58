import { expect, test } from 'vitest'
import { inHeldOrder } from './held-order.ts'

const rows = (...ids: string[]) => ids.map((id) => ({ id, text: id.toUpperCase() }))
const idsOf = (of: readonly { id: string }[]) => of.map(({ id }) => id).join('')

test('a row that was changed stays in its place and shows its newest values', () => {
  const now = [{ id: 'c', text: 'new' }, ...rows('a', 'b')]
  const shown = inHeldOrder(rows('a', 'b', 'c'), now)
  expect([idsOf(shown), shown[2]?.text]).toEqual(['abc', 'new'])
})

test('a row that no longer matches stays, and a new one above waits', () => {
  expect(idsOf(inHeldOrder(rows('a', 'b'), rows('n', 'b')))).toBe('ab')
})

test('rows further down are added', () => {
  expect(idsOf(inHeldOrder(rows('a', 'b'), rows('n', 'b', 'a', 'd', 'e')))).toBe('abde')
})
