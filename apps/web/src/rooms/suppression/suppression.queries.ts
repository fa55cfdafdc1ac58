import {
  type AddSuppressionData,
  listSuppressionHistory,
  listSuppressionMatches,
  listSuppressions,
  listSuppressionsOfBusiness,
  type PreviewSuppressionBatchData,
} from '@prospect/api-client'
import {
  getSuppressionEvaluationOptions,
  getSuppressionOptions,
  listSuppressionHistoryQueryKey,
  listSuppressionMatchesQueryKey,
  listSuppressionsOfBusinessQueryKey,
  listSuppressionsQueryKey,
} from '@prospect/api-client/query'
import type { QueryClient } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import type { SuppressionSearch } from './suppression-search.ts'

export const suppressionPages = (query: SuppressionSearch) =>
  pagedList(listSuppressionsQueryKey({ query }), (page, signal) =>
    dataOf(listSuppressions({ query: { ...query, ...page }, signal })),
  )

export const evaluationQuery = getSuppressionEvaluationOptions()

export const suppressionQuery = (suppressionId: string) => getSuppressionOptions({ path: { suppressionId } })

export const historyQuery = (suppressionId: string) =>
  pagedQuery(listSuppressionHistoryQueryKey({ path: { suppressionId } }), (query, signal) =>
    dataOf(listSuppressionHistory({ path: { suppressionId }, query, signal })),
  )

export const matchesQuery = (suppressionId: string) =>
  pagedQuery(listSuppressionMatchesQueryKey({ path: { suppressionId } }), (query, signal) =>
    dataOf(listSuppressionMatches({ path: { suppressionId }, query, signal })),
  )

export const entriesOfBusinessQuery = (businessId: string) =>
  pagedQuery(listSuppressionsOfBusinessQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listSuppressionsOfBusiness({ path: { businessId }, query, signal })),
  )

export type NewEntry = AddSuppressionData['body']
export type Provenance = Pick<NewEntry, 'reason' | 'channel' | 'requestedBy' | 'reference'>
export type Pasted = PreviewSuppressionBatchData['body']

/** Called after an entry was added or removed, which may have blocked or unblocked any record. */
export async function refreshAll(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: answersAbout('suppression') }),
    refreshRecords(queryClient),
  ])
}
