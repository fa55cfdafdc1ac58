import { expect, test } from 'vitest'
import { inHeldOrder } from './held-order.ts'

const rows = (...ids: string[]) => ids.map((id) => ({ id, text: id.toUpperCase() }))
const idsOf = (of: readonly { id: string }[]) => of.map(({ id }) => id).join('')

test('a changed row stays in place and shows its new values', () => {
  const now = [{ id: 'c', text: 'new' }, ...rows('a', 'b')]
  const shown = inHeldOrder(rows('a', 'b', 'c'), now)
  expect([idsOf(shown), shown[2]?.text]).toEqual(['abc', 'new'])
})

test('a row that no longer matches stays, and a new one above is held back', () => {
  expect(idsOf(inHeldOrder(rows('a', 'b'), rows('n', 'b')))).toBe('ab')
})

test('rows below the last one are added', () => {
  expect(idsOf(inHeldOrder(rows('a', 'b'), rows('n', 'b', 'a', 'd', 'e')))).toBe('abde')
})
