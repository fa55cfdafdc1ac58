import { getBusiness } from '@prospect/api-client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isProblem } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import type { PendingMove } from '../../../ui/prospects/pending-moves.ts'
import { pipelineStateName } from '../../../ui/prospects/pipeline-words.ts'
import { adoptLeftMoves, dropMove, offerLeftMove } from './delayed-moves.tsx'

/** Offers to send the unrecorded moves of the previous page again, after a reload. */
export function LeftMoves() {
  const queryClient = useQueryClient()
  useEffect(() => {
    void takeLeftMoves(queryClient)
  }, [queryClient])
  return null
}

async function takeLeftMoves(queryClient: QueryClient): Promise<void> {
  await Promise.all(adoptLeftMoves(queryClient).map((move) => checkLeft(queryClient, move)))
}

async function checkLeft(queryClient: QueryClient, left: PendingMove): Promise<void> {
  try {
    const { name, pipelineState, version } = await dataOf(getBusiness({ path: { businessId: left.businessId } }))
    // The move was recorded and only its response was lost, or a colleague made the same move.
    if (pipelineState === left.to) return dropMove(left.businessId)
    const changed = version === left.version ? '' : ', and the record was changed since'
    offerLeftMove(queryClient, left, name, `The prospect is in ${pipelineStateName(pipelineState)}${changed}.`)
  } catch (error) {
    // The record was erased, or belongs to a tenant that the person has left.
    if (isProblem(error, 'not_found')) dropMove(left.businessId)
    else offerLeftMove(queryClient, left, null, 'The record could not be read.')
  }
}
