import type { ScoringPreview } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { matrixRows } from './distribution-words.ts'
import { summaryWords } from './preview-summary.tsx'

const matrix = (counts: number[][]) => ({ cells: ['a', 'b', 'none'], counts })
const unchanged = [
  [5, 0, 0],
  [0, 4, 0],
  [0, 0, 0],
]
const preview = (part: object) =>
  ({ status: 'complete', against: { version: 1 }, ...part }) as unknown as ScoringPreview
const result = {
  records: 9,
  failed: 0,
  priority: matrix([
    [2, 3, 0],
    [1, 3, 0],
    [0, 0, 0],
  ]),
  eligibility: matrix(unchanged),
}

test('the summary counts the prospects whose priority or eligibility changes', () => {
  expect(summaryWords(preview({ result }))).toBe('9 prospects previewed: 4 change priority, 0 change eligibility.')
  expect(summaryWords(preview({ result: { ...result, failed: 2 } }))).toMatch(/ 2 prospects could not be read\.$/)
  expect(summaryWords(preview({ result, against: null }))).toContain('no active scores to compare with')
})

test('the summary of a preview without a result is its status', () => {
  expect(summaryWords(preview({ result: null, status: 'running' }))).toBe('The preview is running.')
  expect(summaryWords(preview({ result: null, status: 'failed' }))).toBe('The preview failed.')
  expect(summaryWords(preview({ result: null, status: 'cancelled' }))).toBe('The preview was cancelled.')
})

test('a matrix has every row, and the columns that are not all zero', () => {
  expect(matrixRows(matrix(unchanged)).map(({ id, counts }) => [id, ...counts.map(({ count }) => count)])).toEqual([
    ['a', 5, 0],
    ['b', 0, 4],
    ['none', 0, 0],
  ])
})
