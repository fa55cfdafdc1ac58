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

/** Every cached list of prospects, with its key. */
const cachedLists = (queryClient: QueryClient) =>
  queryClient.getQueriesData<ProspectListData>({ queryKey: prospectListsKey })

/** The record as a list has it; null where none does. */
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
 * Moves a prospect. Lists, boards and the open record show the new state at once; when the server refuses, they show the
 * old one again and the mutation's error says which rule. A reason that is required is asked for before (permittedMoves).
 */
export function useMove(): UseMutationResult<MoveResult, Error, Move, Before> {
  const queryClient = useQueryClient()
  return useMutation({
    // By who asks for it: they know the state that it stays in.
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
      // This row alone: others may have been moved meanwhile.
      for (const [key, was] of lists) {
        queryClient.setQueryData<ProspectListData>(key, (now) => {
          const stands = [was, now].some((data) => findRow([data], businessId) !== null)
          return now && stands ? moveInList(now, listQueryOf(key), businessId, row.pipelineState, row) : now
        })
      }
    },
    onSettled: (_result, _error, { businessId }) => {
      // What is read while another move is under way would show that one undone.
      if (queryClient.isMutating({ mutationKey: moveKey }) === 1) void refreshRecord(queryClient, businessId)
      else void queryClient.invalidateQueries({ queryKey: recordKey(businessId) })
    },
  })
}
