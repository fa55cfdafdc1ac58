import type { PipelineState } from '@prospect/api-client'
import { isUnderWay, usePendingMove } from './pending-moves.ts'
import { PipelineBadge } from './pipeline-badge.tsx'
import { pipelineStateName } from './pipeline-words.ts'

/** Recorded pipeline state of a record, or the target of a move that is not recorded yet. */
export function ShownState({ businessId, state }: { businessId: string; state: PipelineState }) {
  const move = usePendingMove(businessId)
  return isUnderWay(move) ? <>Moving to {pipelineStateName(move.to)}…</> : <PipelineBadge state={state} />
}
