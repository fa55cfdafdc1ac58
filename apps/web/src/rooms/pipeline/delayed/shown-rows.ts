import type { BusinessSummary, PipelineState } from '@prospect/api-client'
import { type Total, totalAfter } from '../../../ui/api/total.ts'
import { isUnderWay, type PendingMove } from '../../../ui/prospects/pending-moves.ts'

export type ShownColumn = { rows: BusinessSummary[]; total: Total | null | undefined }

/** Returns a column of the board as if the pending moves were made: their cards are removed from the old column and come first in the new one. */
export function withMoves(column: ShownColumn, state: PipelineState, moves: readonly PendingMove[]): ShownColumn {
  const underWay = moves.filter(isUnderWay)
  const stays = ({ id }: BusinessSummary) => underWay.every(({ businessId, to }) => businessId !== id || to === state)
  const kept = column.rows.filter(stays)
  const added = underWay.flatMap(({ row, to }): BusinessSummary[] =>
    to !== state || row === null || kept.some(({ id }) => id === row.id) ? [] : [{ ...row, pipelineState: to }],
  )
  const change = added.length - (column.rows.length - kept.length)
  if (added.length === 0 && change === 0) return column
  return { rows: [...added.toReversed(), ...kept], total: totalAfter(column.total, change) }
}
