import {
  type BulkPreview,
  type BulkReview,
  createBulkReview,
  listBulkOutcomes,
  listBulkReviews,
} from '@prospect/api-client'
import {
  getBulkPreviewOptions,
  getBulkReviewOptions,
  getJobOptions,
  listBulkOutcomesQueryKey,
  listBulkReviewsQueryKey,
} from '@prospect/api-client/query'
import { type QueryClient, QueryObserver, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { pagedQuery } from '../../../ui/api/page-queries.ts'
import { answersOf } from '../../../ui/api/query-keys.ts'
import { pagedList } from '../../../ui/lists/visible-pages.ts'
import { assigneesQuery } from '../../../ui/prospects/assignees.ts'
import { isUnderWay } from './bulk-words.ts'
import type { OutcomeSearch } from './outcome-search.ts'

const POLL_MS = 2_000

export const bulkPages = pagedList(
  listBulkReviewsQueryKey(),
  (page, signal) => dataOf(listBulkReviews({ query: page, signal })),
  { askAgainMs: (rows) => (rows.some(isUnderWay) ? POLL_MS : false) },
)

export const bulkPreviewQuery = (previewId: string) => getBulkPreviewOptions({ path: { previewId } })

/** Query of a bulk action, polled until it has ended; its counts show the progress. */
export const bulkQuery = (bulkId: string) =>
  queryOptions({
    ...getBulkReviewOptions({ path: { bulkId } }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? POLL_MS : false),
  })

export const outcomesQuery = (bulkId: string, search: OutcomeSearch) =>
  pagedQuery(listBulkOutcomesQueryKey({ path: { bulkId }, query: search }), (page, signal) =>
    dataOf(listBulkOutcomes({ path: { bulkId }, query: { ...search, ...page }, signal })),
  )

export const jobQuery = (jobId: string) => getJobOptions({ path: { jobId } })

export async function refreshBulks(queryClient: QueryClient): Promise<void> {
  await Promise.all(
    (['getBulkReview', 'listBulkReviews', 'listBulkOutcomes'] as const).map((operation) =>
      queryClient.invalidateQueries({ queryKey: answersOf(operation) }),
    ),
  )
}

/** Confirms a preview. Sends no reason if it is blank. */
export function confirmBulk({ id, fingerprint }: BulkPreview, reason: string, key: string): Promise<BulkReview> {
  const given = reason.trim()
  return dataOf(
    createBulkReview({ body: { previewId: id, fingerprint, ...(given !== '' && { reason: given }) }, ...withKey(key) }),
  )
}

/** Calls `ended` once, when a bulk action has ended or its first read has failed. The caller may unmount before. */
export function whenBulkEnded(
  queryClient: QueryClient,
  bulkId: string,
  ended: (bulk: BulkReview | null) => void,
): void {
  const unsubscribe = new QueryObserver(queryClient, bulkQuery(bulkId)).subscribe(({ data, isError }) => {
    const isEnded = data === undefined ? isError : !isUnderWay(data)
    if (!isEnded) return
    unsubscribe()
    ended(data ?? null)
  })
}

/** Returns the names of the members by id, for the title of an assignment. */
export function usePeopleNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(assigneesQuery)
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data])
}
