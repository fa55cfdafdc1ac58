import type { Pipeline, PipelineState } from '@prospect/api-client'
import { pipelineOrder } from '../../ui/prospects/pipeline-words.ts'

/** A move and whether the person is asked for a reason first. For a prospect that is won or lost the reason is optional but useful. */
export type PermittedMove = { to: PipelineState; asks: 'required' | 'optional' | null }

/**
 * Returns the permitted moves from a state, in the order of the pipeline. A paused or disqualified prospect can return only to its state before. If
 * that state is unknown, as in lists, all moves are returned and the server decides.
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

/** Returns the move that the button offers: the first one to an open state, or otherwise the one to won. */
export function nextMove(moves: readonly PermittedMove[]): PermittedMove | undefined {
  return moves.find(({ to }) => !endings.includes(to)) ?? moves.find(({ to }) => to === 'won')
}

const endings: readonly PipelineState[] = ['won', 'lost', 'paused', 'disqualified']
