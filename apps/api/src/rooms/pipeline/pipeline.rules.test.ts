import fc from 'fast-check'
import { test } from 'vitest'
import { type PipelineState, pipelineStates } from '../../lib/pipeline-state.ts'
import { decideMove, permittedMoves } from './pipeline.rules.ts'

/*
 * The specification's table (States: Pipeline), copied line by line and independent of the code, and the additional rules for the two optional
 * states.
 */
const allowed = [
  'new → contacted',
  'contacted → qualified',
  'qualified → proposal',
  'proposal → negotiation',
  'negotiation → won',
  'negotiation → lost',
]
const reopened = ['won → negotiation', 'lost → negotiation']
const open: PipelineState[] = ['new', 'contacted', 'qualified', 'proposal', 'negotiation']

type Case = {
  from: PipelineState
  stateBeforePause: PipelineState | null
  to: PipelineState
  reason: string | null
  pausedEnabled: boolean
  disqualifiedEnabled: boolean
}

function bySpecification({ from, stateBeforePause, to, reason, pausedEnabled, disqualifiedEnabled }: Case) {
  if (from === to) return 'same'
  const move = `${from} → ${to}`
  if (allowed.includes(move)) return 'move'
  const setsAside =
    open.includes(from) && ((to === 'paused' && pausedEnabled) || (to === 'disqualified' && disqualifiedEnabled))
  const goesBack = (from === 'paused' || from === 'disqualified') && to === stateBeforePause
  if (reopened.includes(move) || setsAside || goesBack) return reason === null ? 'reason_required' : 'move'
  return 'transition_not_allowed'
}

const cases: Case[] = pipelineStates.flatMap((from) =>
  (from === 'paused' || from === 'disqualified' ? open : [null]).flatMap((stateBeforePause) =>
    pipelineStates.flatMap((to) =>
      [null, 'They called.'].flatMap((reason) =>
        [false, true].flatMap((pausedEnabled) =>
          [false, true].map((disqualifiedEnabled) => ({
            from,
            stateBeforePause,
            to,
            reason,
            pausedEnabled,
            disqualifiedEnabled,
          })),
        ),
      ),
    ),
  ),
)

function decide({ from, stateBeforePause, to, reason, ...configuration }: Case) {
  return decideMove({ state: from, stateBeforePause }, to, reason, configuration)
}

test('every move from every state, with and without a reason, in every configuration, follows the table', ({
  expect,
}) => {
  expect(cases).toHaveLength((7 + 2 * 5) * 9 * 2 * 4)
  const decided = cases.map((move) => {
    const decision = decide(move)
    return [move, decision.answer === 'refused' ? decision.code : decision.answer]
  })
  expect(decided).toEqual(cases.map((move) => [move, bySpecification(move)]))
})

test('a move stores the state before a pause, and clears it on the way back', ({ expect }) => {
  for (const move of cases) {
    const decision = decide(move)
    if (decision.answer !== 'move') continue
    const isSetAside = move.to === 'paused' || move.to === 'disqualified'
    expect(decision.stateBeforePause).toBe(isSetAside ? move.from : null)
  }
})

test('a refusal lists the permitted target states, and no others', ({ expect }) => {
  for (const move of cases) {
    const decision = decide(move)
    if (decision.answer !== 'refused' || decision.code !== 'transition_not_allowed') continue
    const [, told] = /it moves (.*)\.$/.exec(decision.explanation) ?? []
    if (told === undefined) {
      expect(decision.explanation).toBe(`This workspace does not use the state ${move.to}.`)
      continue
    }
    const targets = pipelineStates.filter((state) => new RegExp(`\\b${state}\\b`).test(told))
    const reachable = pipelineStates.filter(
      (to) => to !== move.from && bySpecification({ ...move, to, reason: 'any' }) === 'move',
    )
    expect([move, targets]).toEqual([move, reachable])
  }
})

test('no sequence of accepted moves leaves the table: closed states follow negotiation only, and optional states return to their previous state', ({
  expect,
}) => {
  const anyState = fc.constantFrom(...pipelineStates)
  fc.assert(
    fc.property(
      fc.record({ pausedEnabled: fc.boolean(), disqualifiedEnabled: fc.boolean() }),
      fc.array(fc.tuple(anyState, fc.option(fc.constant('A reason.'))), { maxLength: 40 }),
      (configuration, wishes) => {
        let place: { state: PipelineState; stateBeforePause: PipelineState | null } = {
          state: 'new',
          stateBeforePause: null,
        }
        for (const [to, reason] of wishes) {
          const decision = decideMove(place, to, reason, configuration)
          if (decision.answer !== 'move') continue
          if (to === 'won' || to === 'lost') expect(place.state).toBe('negotiation')
          if (place.state === 'paused' || place.state === 'disqualified') expect(to).toBe(place.stateBeforePause)
          place = { state: to, stateBeforePause: decision.stateBeforePause }
          expect(place.stateBeforePause === null).toBe(!['paused', 'disqualified'].includes(place.state))
        }
      },
    ),
  )
})

test('the listed moves of a tenant are exactly the accepted ones', ({ expect }) => {
  for (const pausedEnabled of [false, true]) {
    for (const disqualifiedEnabled of [false, true]) {
      const shown = permittedMoves({ pausedEnabled, disqualifiedEnabled })
      const accepted = cases
        .filter((move) => move.pausedEnabled === pausedEnabled && move.disqualifiedEnabled === disqualifiedEnabled)
        .filter((move) => move.reason !== null && bySpecification(move) === 'move')
        .map((move) => ({
          from: move.from,
          to: move.to,
          reasonRequired: bySpecification({ ...move, reason: null }) !== 'move',
        }))
      const inOrder = (moves: typeof shown) => moves.map((move) => JSON.stringify(move)).toSorted()
      expect(inOrder(shown)).toEqual(inOrder(accepted))
    }
  }
})
