import type { Pipeline } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { findMove, permittedMoves } from './permitted-moves.ts'

const pipeline: Pipeline = {
  version: 1,
  states: [
    { state: 'new', kind: 'open', enabled: true, count: 3 },
    { state: 'contacted', kind: 'open', enabled: true, count: 2 },
    { state: 'negotiation', kind: 'open', enabled: true, count: 2 },
    { state: 'won', kind: 'closed', enabled: true, count: 0 },
    { state: 'lost', kind: 'closed', enabled: true, count: 0 },
    { state: 'paused', kind: 'set_aside', enabled: true, count: 1 },
    { state: 'disqualified', kind: 'set_aside', enabled: false, count: 0 },
  ],
  transitions: [
    { from: 'new', to: 'disqualified', reasonRequired: true },
    { from: 'new', to: 'paused', reasonRequired: true },
    { from: 'new', to: 'contacted', reasonRequired: false },
    { from: 'negotiation', to: 'lost', reasonRequired: false },
    { from: 'negotiation', to: 'won', reasonRequired: false },
    { from: 'paused', to: 'new', reasonRequired: true },
    { from: 'paused', to: 'contacted', reasonRequired: true },
  ],
  configuration: { pausedEnabled: true, disqualifiedEnabled: false },
  asOf: '2026-11-21T10:00:00.000Z',
}

test('moves stand in the order of the pipeline, and a state that is off is not offered', () => {
  expect(permittedMoves(pipeline, 'new').map(({ to }) => to)).toEqual(['contacted', 'paused'])
  expect(permittedMoves(pipeline, 'negotiation').map(({ to }) => to)).toEqual(['won', 'lost'])
})

test('what was set aside goes back only to the state before', () => {
  expect(permittedMoves(pipeline, 'paused', 'contacted')).toEqual([{ to: 'contacted', asks: 'required' }])
})

test('why it was won or lost may be said, and need not be', () => {
  expect(permittedMoves(pipeline, 'negotiation')).toEqual([
    { to: 'won', asks: 'optional' },
    { to: 'lost', asks: 'optional' },
  ])
})

test('a jump outside the table is no move', () => {
  expect(findMove(pipeline, 'new', 'won')).toBeUndefined()
  expect(findMove(pipeline, 'new', 'contacted')).toEqual({ to: 'contacted', asks: null })
})
