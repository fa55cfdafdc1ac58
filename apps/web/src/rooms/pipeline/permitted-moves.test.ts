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

test('moves are in the order of the pipeline, without disabled states', () => {
  expect(permittedMoves(pipeline, 'new').map(({ to }) => to)).toEqual(['contacted', 'paused'])
  expect(permittedMoves(pipeline, 'negotiation').map(({ to }) => to)).toEqual(['won', 'lost'])
})

test('a prospect that was set aside can return only to its previous state', () => {
  expect(permittedMoves(pipeline, 'paused', 'contacted')).toEqual([{ to: 'contacted', asks: 'required' }])
})

test('the reason for won or lost is optional', () => {
  expect(permittedMoves(pipeline, 'negotiation')).toEqual([
    { to: 'won', asks: 'optional' },
    { to: 'lost', asks: 'optional' },
  ])
})

test('a move outside the table is not permitted', () => {
  expect(findMove(pipeline, 'new', 'won')).toBeUndefined()
  expect(findMove(pipeline, 'new', 'contacted')).toEqual({ to: 'contacted', asks: null })
})
