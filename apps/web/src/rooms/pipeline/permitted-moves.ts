import type { Pipeline, PipelineState } from '@prospect/api-client'
import { pipelineOrder } from '../../ui/prospects/pipeline-words.ts'

/** `asks`: whether a reason is asked for before. Why a prospect was won or lost may be said, and is worth asking. */
export type PermittedMove = { to: PipelineState; asks: 'required' | 'optional' | null }

/**
 * Where a prospect may go from its state, in the order of the pipeline. What was set aside goes back only to the state
 * before; where that is not known (in lists), all are offered and the server decides.
 */
export function permittedMoves(
  pipeline: Pipeline,
  from: PipelineState,
  stateBeforePause: PipelineState | null = null,
): PermittedMove[] {
  const kinds = new Map(pipeline.states.map((entry) => [entry.state, entry]))
  const isSetAside = kinds.get(from)?.kind === 'set_aside'
  return pipeline.transitions
    .filter((transition) => transition.from === from && transition.to !== from)
    .filter(({ to }) => kinds.get(to)?.enabled === true)
    .filter(({ to }) => !isSetAside || stateBeforePause === null || to === stateBeforePause)
    .map(({ to, reasonRequired }): PermittedMove => {
      const asks = reasonRequired ? 'required' : kinds.get(to)?.kind === 'closed' ? 'optional' : null
      return { to, asks }
    })
    .toSorted((a, b) => pipelineOrder.indexOf(a.to) - pipelineOrder.indexOf(b.to))
}

export function findMove(pipeline: Pipeline, from: PipelineState, to: PipelineState): PermittedMove | undefined {
  return permittedMoves(pipeline, from).find((move) => move.to === to)
}

/** The move that leads on: to the next state of the pipeline, or back where nothing leads on. */
export function nextMove(moves: readonly PermittedMove[]): PermittedMove | undefined {
  return moves.find(({ to }) => !endings.includes(to)) ?? moves.find(({ to }) => to === 'won')
}

const endings: readonly PipelineState[] = ['won', 'lost', 'paused', 'disqualified']
