import { expect, test } from 'vitest'
import { wordDiff } from './word-diff.ts'

const joined = (before: string, after: string, left: 'added' | 'removed') =>
  wordDiff(before, after)
    .filter(({ kind }) => kind !== left)
    .map(({ text }) => text)
    .join('')

test('marks added and removed words and keeps the others', () => {
  expect(wordDiff('Good day Piet, we repair pumps.', 'Good day Nomsa, we repair pumps.')).toEqual([
    { kind: 'same', text: 'Good day ' },
    { kind: 'removed', text: 'Piet, ' },
    { kind: 'added', text: 'Nomsa, ' },
    { kind: 'same', text: 'we repair pumps.' },
  ])
})

test.each([
  ['', 'New text\nin lines'],
  ['Old text', ''],
  ['a b c d', 'a x c y d'],
  ['word '.repeat(2_000), 'other '.repeat(2_000)],
])('both texts can be read from the parts (%#)', (before, after) => {
  expect(joined(before, after, 'removed')).toBe(after)
  expect(joined(before, after, 'added')).toBe(before)
})
