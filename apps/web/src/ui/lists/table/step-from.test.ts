import { expect, test } from 'vitest'
import { keptPlace, stepFrom } from './step-from.ts'

const rowsOf = (text: string) => [...text].map((id) => ({ id }))
const at = (text: string, id: string) => keptPlace(rowsOf(text), id, null)

/** Id of the row that a step leads to, after the rows changed from `then` to `now`. */
function step(then: string, active: string, now: string, by: number): string | undefined {
  const place = keptPlace(rowsOf(now), active, at(then, active))
  return stepFrom(rowsOf(now), place, by)?.id
}

test('moves row by row and stops at the ends', () => {
  expect(step('abcde', 'c', 'abcde', 1)).toBe('d')
  expect(step('abcde', 'c', 'abcde', -1)).toBe('b')
  expect(step('abcde', 'e', 'abcde', 3)).toBe('e')
  expect(step('abcde', 'c', 'abcde', -Infinity)).toBe('a')
  expect(step('abcde', 'c', 'abcde', Infinity)).toBe('e')
  expect(stepFrom(rowsOf('abc'), null, 1)?.id).toBe('a')
  expect(stepFrom(rowsOf('abc'), null, Infinity)?.id).toBe('c')
  expect(stepFrom([], null, 1)).toBeUndefined()
})

test('rows added above or beside the active row do not change the direction of a step', () => {
  expect(step('abcde', 'c', 'xabcde', 1)).toBe('d')
  expect(step('abcde', 'c', 'abxcde', -1)).toBe('x')
})

test('if the active row moves to the top or is removed, the step continues from its old position', () => {
  expect(step('abcde', 'c', 'cabde', 1)).toBe('d')
  expect(step('abcde', 'c', 'cabde', -1)).toBe('b')
  expect(step('abcde', 'c', 'abde', 1)).toBe('d')
  expect(step('abcde', 'c', 'abde', -1)).toBe('b')
  expect(step('abcde', 'e', 'abcd', 1)).toBe('d')
  expect(step('abcde', 'a', 'bcde', -1)).toBe('b')
  expect(step('abcde', 'c', 'cabde', Infinity)).toBe('e')
})

test('without old neighbours the step continues from the active row, or from the top', () => {
  expect(step('abcde', 'c', 'xcyae', 1)).toBe('y')
  expect(step('abcde', 'c', 'xyz', 1)).toBe('x')
})
