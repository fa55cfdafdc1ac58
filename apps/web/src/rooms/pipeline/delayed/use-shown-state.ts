import type { Business, PipelineState } from '@prospect/api-client'
import { isUnderWay, type PendingMove, usePendingMove } from '../../../ui/prospects/pending-moves.ts'

type Shown = {
  state: PipelineState
  stateBeforePause: PipelineState | null
  /** The move that `state` takes for done. */
  moving: PendingMove | undefined
  /** A move that failed. */
  failed: PendingMove | undefined
}

/** The state that the next move starts from: that of a move under way, or the recorded one. */
export function useShownState(business: Pick<Business, 'id' | 'pipelineState' | 'stateBeforePause'>): Shown {
  const move = usePendingMove(business.id)
  const { pipelineState, stateBeforePause } = business
  if (!isUnderWay(move)) return { state: pipelineState, stateBeforePause, moving: undefined, failed: move }
  return { state: move.to, stateBeforePause: null, moving: move, failed: undefined }
}
