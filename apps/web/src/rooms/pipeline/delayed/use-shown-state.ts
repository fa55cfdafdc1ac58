import type { Business, PipelineState } from '@prospect/api-client'
import { isUnderWay, type PendingMove, usePendingMove } from '../../../ui/prospects/pending-moves.ts'

type Shown = {
  state: PipelineState
  stateBeforePause: PipelineState | null
  /** Pending move, whose target is `state`. */
  moving: PendingMove | undefined
  /** Failed move of the record. */
  failed: PendingMove | undefined
}

/** Returns the state from which the next move starts: the target of a pending move, or otherwise the recorded state. */
export function useShownState(business: Pick<Business, 'id' | 'pipelineState' | 'stateBeforePause'>): Shown {
  const move = usePendingMove(business.id)
  const { pipelineState, stateBeforePause } = business
  if (!isUnderWay(move)) return { state: pipelineState, stateBeforePause, moving: undefined, failed: move }
  return { state: move.to, stateBeforePause: null, moving: move, failed: undefined }
}
