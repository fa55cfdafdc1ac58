import { expect, test } from 'vitest'
import { standingWords } from './fact-words.ts'

test('the evidence of a fact is described with counts', () => {
  const all = { newestCounted: null }
  expect(standingWords({ standing: 'supported', supporting: 1, contradicting: 0, undecided: 0, ...all })).toBe(
    'Supported by 1 observation',
  )
  expect(standingWords({ standing: 'contradicted', supporting: 0, contradicting: 1, undecided: 0, ...all })).toBe(
    'Contradicted: 1 observation contradicts',
  )
  expect(standingWords({ standing: 'contradicted', supporting: 1_200, contradicting: 2, undecided: 0, ...all })).toBe(
    'Contradicted: 2 observations contradict, 1\u00a0200 agree',
  )
})

test('evidence that cannot be compared is shown as unknown', () => {
  const none = { standing: 'unsupported', supporting: 0, contradicting: 0, newestCounted: null } as const
  expect(standingWords({ ...none, undecided: 2 })).toBe('Unknown: 2 observations cannot be compared')
})

test('counts that cover only the newest evidence say so', () => {
  const counted = { standing: 'supported', supporting: 1_000, contradicting: 0, undecided: 0 } as const
  expect(standingWords({ ...counted, newestCounted: 1_000 })).toBe(
    'Supported by 1\u00a0000 observations (among the newest 1\u00a0000)',
  )
})
