import type { Business, BusinessSummary, MoveResult, PipelineState } from '@prospect/api-client'
import { movePipeline } from '@prospect/api-client'
import { type QueryClient, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { listQueryOf, type ProspectListData, prospectListsKey } from '../../ui/prospects/list-keys.ts'
import { recordKey, refreshRecord } from '../../ui/prospects/record-keys.ts'
import { notifyAlreadyMoved } from './move-notices.ts'
import { findRow, moveInList } from './optimistic-move.ts'

export type Move = { businessId: string; to: PipelineState; reason?: string }

const moveKey = ['move'] as const

/** Returns every cached list of prospects with its key. */
const cachedLists = (queryClient: QueryClient) =>
  queryClient.getQueriesData<ProspectListData>({ queryKey: prospectListsKey })

/** Returns the record as a cached list contains it; null if no list does. */
export function rowInLists(queryClient: QueryClient, businessId: string): BusinessSummary | null {
  return findRow(
    cachedLists(queryClient).map(([, data]) => data),
    businessId,
  )
}

/** Shows a moved record in the cached lists. */
export function moveInLists(
  queryClient: QueryClient,
  { businessId, to }: Pick<Move, 'businessId' | 'to'>,
  row: BusinessSummary | null,
): void {
  for (const [key, data] of cachedLists(queryClient))
    if (data !== undefined) queryClient.setQueryData(key, moveInList(data, listQueryOf(key), businessId, to, row))
}

type Before = {
  lists: [readonly unknown[], ProspectListData | undefined][]
  row: BusinessSummary | null
  record: Business | undefined
}

/**
 * Moves a prospect. Lists, boards and the open record show the new state at once. If the server refuses, they show the old state again, and the
 * error of the mutation names the rule. The caller must request a required reason before (`permittedMoves`).
 */
export function useMove(): UseMutationResult<MoveResult, Error, Move, Before> {
  const queryClient = useQueryClient()
  return useMutation({
    // The caller reports a failure, because it knows the state in which the prospect remains.
    meta: { isTold: true },
    mutationKey: moveKey,
    mutationFn: ({ businessId, to, reason }: Move) => {
      const body = reason === undefined || reason.trim() === '' ? { to } : { to, reason }
      return dataOf(movePipeline({ path: { businessId }, body, ...withKey(newKey()) }))
    },
    onMutate: async ({ businessId, to }): Promise<Before> => {
      await Promise.all([
        queryClient.cancelQueries({ queryKey: prospectListsKey }),
        queryClient.cancelQueries({ queryKey: recordKey(businessId), exact: true }),
      ])
      const lists = cachedLists(queryClient)
      const record = queryClient.getQueryData(recordKey(businessId))
      const row = rowInLists(queryClient, businessId)
      moveInLists(queryClient, { businessId, to }, row)
      if (record !== undefined) queryClient.setQueryData(recordKey(businessId), { ...record, pipelineState: to })
      return { lists, row, record }
    },
    onSuccess: ({ business, transition }, { to, reason }) => {
      if (transition === null && reason !== undefined) notifyAlreadyMoved(business.name, to)
      queryClient.setQueryData(recordKey(business.id), business)
    },
    onError: (_error, { businessId }, before) => {
      if (before === undefined) return
      const { lists, row, record } = before
      if (record !== undefined) {
        const back = { pipelineState: record.pipelineState }
        queryClient.setQueryData(recordKey(businessId), (now) => now && { ...now, ...back })
      }
      if (row === null) return
      // Restore only this row, because other rows may have been moved in between.
      for (const [key, was] of lists) {
        queryClient.setQueryData<ProspectListData>(key, (now) => {
          const stands = [was, now].some((data) => findRow([data], businessId) !== null)
          return now && stands ? moveInList(now, listQueryOf(key), businessId, row.pipelineState, row) : now
        })
      }
    },
    onSettled: (_result, _error, { businessId }) => {
      // Do not read lists while another move is being sent, because they would still contain the old state of that move.
      if (queryClient.isMutating({ mutationKey: moveKey }) === 1) void refreshRecord(queryClient, businessId)
      else void queryClient.invalidateQueries({ queryKey: recordKey(businessId) })
    },
  })
}
