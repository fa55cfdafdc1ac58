import type { Pipeline } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { ApiProblem } from '../../ui/api/api-problem.ts'
import { forbiddenMoveWords, movedWords, moveLabel, refusedMoveWords } from './move-words.ts'

const pipeline: Pipeline = {
  version: 1,
  states: [
    { state: 'new', kind: 'open', enabled: true, count: 0 },
    { state: 'contacted', kind: 'open', enabled: true, count: 0 },
    { state: 'won', kind: 'closed', enabled: true, count: 0 },
    { state: 'paused', kind: 'set_aside', enabled: true, count: 0 },
  ],
  transitions: [],
  configuration: { pausedEnabled: true, disqualifiedEnabled: false },
  asOf: '2026-11-02T08:00:00.000Z',
}

test('a move is named by its effect', () => {
  expect(moveLabel(pipeline, 'new', 'contacted')).toBe('Move to Contacted')
  expect(moveLabel(pipeline, 'contacted', 'won')).toBe('Mark as won')
  expect(moveLabel(pipeline, 'contacted', 'paused')).toBe('Set aside as paused')
  expect(moveLabel(pipeline, 'paused', 'contacted')).toBe('Reopen in contacted')
})

test('a rejected move names the rule and says that the state is unchanged', () => {
  const refused = new ApiProblem({ status: 422, code: 'transition_not_allowed' })
  expect(refusedMoveWords(refused, 'new', 'won')).toBe(
    'A prospect cannot move from New to Won. This prospect is still in New.',
  )
  expect(forbiddenMoveWords('new', 'won')).toBe(
    'A prospect cannot move from New to Won. This prospect is still in New.',
  )
  expect(refusedMoveWords(new ApiProblem({ status: 422, code: 'business_not_active' }), 'new', 'contacted')).toMatch(
    /merged/,
  )
})

test('a completed move names the prospect and its state', () => {
  expect(movedWords('Karoo Windpumps', 'won')).toBe('Karoo Windpumps moved to Won')
})
