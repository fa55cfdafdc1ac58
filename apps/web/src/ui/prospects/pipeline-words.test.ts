import { expect, test } from 'vitest'
import { statesInUse } from './pipeline-words.ts'

const state = (name: 'new' | 'won' | 'paused' | 'disqualified', enabled: boolean, count = 0) => ({
  state: name,
  kind: 'open' as const,
  enabled,
  count,
})

test('a filter offers the enabled states in the order of the pipeline, and none before they are loaded', () => {
  const states = [state('paused', false, 3), state('won', true), state('disqualified', true), state('new', true)]
  expect(statesInUse({ states })).toEqual(['new', 'won', 'disqualified'])
  expect(statesInUse(undefined)).toEqual([])
})
