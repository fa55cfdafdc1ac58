import { expect, test } from 'vitest'
import { rowsMoved } from './rows-moved.ts'

const rows = (ids: string) => [...ids].map((id) => ({ id }))

test('rows above what is on screen move it by as many', () => {
  expect(rowsMoved(rows('abcdefgh'), rows('xyabcdefgh'), { startIndex: 3, endIndex: 6 })).toBe(2)
  expect(rowsMoved(rows('abcdefgh'), rows('cdefgh'), { startIndex: 3, endIndex: 6 })).toBe(-2)
})

test('a row that was changed and stands at the top now does not take the rest along', () => {
  expect(rowsMoved(rows('abcdefgh'), rows('dabcefgh'), { startIndex: 3, endIndex: 7 })).toBe(0)
  expect(rowsMoved(rows('abcdefgh'), rows('gabcdefh'), { startIndex: 2, endIndex: 7 })).toBe(1)
})

test('nothing that was on screen is left: nothing is known to have moved', () => {
  expect(rowsMoved(rows('abc'), rows('xyz'), { startIndex: 0, endIndex: 2 })).toBe(0)
})
