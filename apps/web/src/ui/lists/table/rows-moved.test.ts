import { expect, test } from 'vitest'
import { rowsMoved } from './rows-moved.ts'

const rows = (ids: string) => [...ids].map((id) => ({ id }))

test('rows added or removed above move the visible rows by their number', () => {
  expect(rowsMoved(rows('abcdefgh'), rows('xyabcdefgh'), { startIndex: 3, endIndex: 6 })).toBe(2)
  expect(rowsMoved(rows('abcdefgh'), rows('cdefgh'), { startIndex: 3, endIndex: 6 })).toBe(-2)
})

test('a changed row that moved to the top does not affect the result', () => {
  expect(rowsMoved(rows('abcdefgh'), rows('dabcefgh'), { startIndex: 3, endIndex: 7 })).toBe(0)
  expect(rowsMoved(rows('abcdefgh'), rows('gabcdefh'), { startIndex: 2, endIndex: 7 })).toBe(1)
})

test('returns 0 if no visible row is left', () => {
  expect(rowsMoved(rows('abc'), rows('xyz'), { startIndex: 0, endIndex: 2 })).toBe(0)
})
