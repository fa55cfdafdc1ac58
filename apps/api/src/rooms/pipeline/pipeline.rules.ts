import { listed } from '../../lib/listed.ts'
import { type OpenState, openStates, type PipelineState } from '../../lib/pipeline-state.ts'

/* The canonical transition table of the specification (States: Pipeline) as data. Every other transition is rejected. */

export type StateKind = 'open' | 'closed' | 'set_aside'

export const stateKinds: Record<PipelineState, StateKind> = {
  new: 'open',
  contacted: 'open',
  qualified: 'open',
  proposal: 'open',
  negotiation: 'open',
  won: 'closed',
  lost: 'closed',
  paused: 'set_aside',
  disqualified: 'set_aside',
}

const isOpen = (state: PipelineState): state is OpenState => stateKinds[state] === 'open'

/** Forward transitions, one step at a time. */
const forward: readonly [from: PipelineState, to: PipelineState][] = [
  ['new', 'contacted'],
  ['contacted', 'qualified'],
  ['qualified', 'proposal'],
  ['proposal', 'negotiation'],
  ['negotiation', 'won'],
  ['negotiation', 'lost'],
]

/** Transitions that reopen a closed prospect. They need a reason and lead to the state before the closing. */
const reopenings: readonly [from: PipelineState, to: PipelineState][] = [
  ['won', 'negotiation'],
  ['lost', 'negotiation'],
]

/** The optional states that a tenant uses. Both are enabled by default. */
export type Configuration = { pausedEnabled: boolean; disqualifiedEnabled: boolean }

export type PermittedMove = { from: PipelineState; to: PipelineState; reasonRequired: boolean }

export function isEnabled(state: PipelineState, configuration: Configuration): boolean {
  if (state === 'paused') return configuration.pausedEnabled
  if (state === 'disqualified') return configuration.disqualifiedEnabled
  return true
}

/**
 * Returns all transitions that the tenant's configuration permits. A paused or disqualified prospect can only return to its previous state, even if
 * the tenant has disabled that state since.
 */
export function permittedMoves(configuration: Configuration): PermittedMove[] {
  const setAside = (['paused', 'disqualified'] as const).flatMap((aside) => [
    ...(isEnabled(aside, configuration) ? openStates.map((from) => ({ from, to: aside, reasonRequired: true })) : []),
    ...openStates.map((to) => ({ from: aside, to, reasonRequired: true })),
  ])
  return [
    ...forward.map(([from, to]) => ({ from, to, reasonRequired: false })),
    ...reopenings.map(([from, to]) => ({ from, to, reasonRequired: true })),
    ...setAside,
  ]
}

export type PipelinePosition = { state: PipelineState; stateBeforePause: PipelineState | null }

export type Decision =
  | { answer: 'same' }
  | { answer: 'move'; stateBeforePause: OpenState | null }
  | { answer: 'refused'; code: 'transition_not_allowed' | 'reason_required'; explanation: string }

/** Decides if a transition is allowed. A transition to the current state changes nothing and is not an error. */
export function decideMove(
  place: PipelinePosition,
  to: PipelineState,
  reason: string | null,
  configuration: Configuration,
): Decision {
  const { state: from, stateBeforePause } = place
  if (from === to) return { answer: 'same' }
  const moves = permittedMoves(configuration).filter((move) => move.from === from)
  const permitted = stateKinds[from] === 'set_aside' ? moves.filter((move) => move.to === stateBeforePause) : moves
  const move = permitted.find((candidate) => candidate.to === to)
  if (move === undefined)
    return {
      answer: 'refused',
      code: 'transition_not_allowed',
      explanation: explain(from, to, permitted, configuration),
    }
  if (move.reasonRequired && reason === null) {
    return { answer: 'refused', code: 'reason_required', explanation: `Moving from ${from} to ${to} needs a reason.` }
  }
  return { answer: 'move', stateBeforePause: stateKinds[to] === 'set_aside' && isOpen(from) ? from : null }
}

function explain(
  from: PipelineState,
  to: PipelineState,
  permitted: readonly PermittedMove[],
  configuration: Configuration,
): string {
  if (!isEnabled(to, configuration)) return `This workspace does not use the state ${to}.`
  const targets = permitted.map((move) => move.to)
  const next = targets.length === 0 ? 'nowhere' : `to ${listed(targets, 'or')}`
  return `A prospect cannot move from ${from} to ${to}. From ${from} it moves ${next}.`
}
