import type { ScoredRule } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { rangeWords } from '../../ui/prospects/score-words.ts'
import { certaintyWords, pointWords, priorityWords, resultOf, resultWords } from './score-words.ts'

const bands = [
  { id: 'a', name: 'A', from: 80 },
  { id: 'b', name: 'B', from: 60 },
]

test('an undecided score is a range', () => {
  expect(rangeWords(82, 82)).toBe('82')
  expect(rangeWords(74, 91)).toBe('74 to 91')
  expect(rangeWords(0, 100)).toBe('0 to 100')
})

test('a range is explained by its certain points and its open checks', () => {
  const rule = (low: number, high: number) => ({ low, high }) as ScoredRule
  const rules = [rule(45, 45), rule(0, 15), rule(0, 20)]
  expect(certaintyWords({ low: 45, high: 80, rules })).toBe(
    'At least 45 points are certain. 2 open checks could add 35 points.',
  )
  expect(certaintyWords({ low: 1, high: 16, rules: rules.slice(0, 2) })).toBe(
    'At least 1 point is certain. 1 open check could add 15 points.',
  )
  expect(certaintyWords({ low: 50, high: 50, rules })).toBe(
    'All 50 points are certain. No open check can change the score.',
  )
})

test('points have a sign, and an undecided rule gives a range', () => {
  expect(pointWords(12, 12)).toBe('+12')
  expect(pointWords(-3, -3)).toBe('−3')
  expect(pointWords(20.25, 20.25)).toBe('+20,25')
  expect(pointWords(0, 8)).toBe('0 to +8')
  expect(pointWords(-5, 0)).toBe('−5 to 0')
})

test('the reachable band is named if it differs', () => {
  expect(priorityWords(bands, { priority: 'b', reachable: 'a' })).toBe('Priority B, possibly A')
  expect(priorityWords(bands, { priority: 'a', reachable: 'a' })).toBe('Priority A')
  expect(priorityWords(bands, { priority: 'unknown', reachable: 'b' })).toBe('Priority Unknown, possibly B')
  expect(priorityWords(bands, { priority: null, reachable: null })).toBeNull()
})

test('an undecided rule states the reason', () => {
  expect(resultWords(null, 'The newest supporting evidence is too old.')).toBe(
    'Cannot tell yet. The newest supporting evidence is too old.',
  )
  expect(resultWords(false, 'The evidence is current.')).toBe('Not met.')
})

test('each side of a change names priority, score and eligibility', () => {
  expect(resultOf(bands, { eligibility: 'eligible', priority: 'a', low: 82 })).toBe('priority A from 82, eligible')
  expect(resultOf(bands, { eligibility: 'blocked', priority: null, low: null })).toBe('do not contact')
})
