import {
  type BusinessSummary,
  type FilterInput,
  listReviewQueue,
  listReviews,
  openReview,
  type ReviewPage,
} from '@prospect/api-client'
import { listReviewQueueQueryKey, listReviewsQueryKey } from '@prospect/api-client/query'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import type { PagedList } from '../../ui/lists/visible-pages.ts'
import { refreshRecord, refreshRecords } from '../../ui/prospects/record-keys.ts'

type Sort = NonNullable<NonNullable<NonNullable<Parameters<typeof listReviewQueue>[0]>['query']>['sort']>

/** Conditions of the queue. Without conditions it lists due reviews of prospects that may be contacted. */
export type Wanted = { conditions?: FilterInput; sort?: Sort }

const queryOf = ({ conditions, sort }: Wanted) => ({
  ...(conditions !== undefined && { conditions: JSON.stringify(conditions) }),
  ...(sort !== undefined && { sort }),
})

const PAGE_OF_ROWS = 50

/** Paged list of the queue. A row moves when its review, score or version changes. */
export const queuePages = (wanted: Wanted): PagedList<BusinessSummary> => {
  const query = queryOf(wanted)
  return {
    queryKey: listReviewQueueQueryKey({ query }),
    readPage: (page, signal) => dataOf(listReviewQueue({ query: { ...query, ...page }, signal })),
    limit: PAGE_OF_ROWS,
    placeOf: ({ version, score, review }) => `${version} ${score.runId} ${score.low} ${review.state}`,
    keepsPrevious: true,
  }
}

/** Conditions of the queue in the server's words, with count and time. */
export const predicateQuery = (wanted: Wanted) => {
  const query = { ...queryOf(wanted), limit: 1 }
  return queryOptions({
    queryKey: [{ ...listReviewQueueQueryKey({ query })[0], isPredicate: true }] as const,
    queryFn: async ({ signal }) => {
      const { predicate, page } = await dataOf(listReviewQueue({ query, signal }))
      return { predicate, total: page.total }
    },
  })
}

const NEWS_MS = 60_000

/** Number of prospects that match and were added or changed since a time. */
export const newsQuery = (conditions: FilterInput, since: string) =>
  queryOptions({
    ...predicateQuery({ conditions: [...conditions, { field: 'updatedAt', op: 'between', values: [since, null] }] }),
    refetchInterval: NEWS_MS,
  })

/** Opens a record for review: checks it again and claims it. Runs once per opening of the record. */
export const openingQuery = (businessId: string, wanted: Wanted | null) => {
  const path = { businessId }
  const body = wanted?.conditions === undefined ? {} : wanted
  return queryOptions({
    queryKey: [{ _id: 'openReview', path, body }] as const,
    queryFn: ({ signal }) => dataOf(openReview({ path, body, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

export const reviewsQuery = (businessId: string) => {
  const path = { businessId }
  return pagedQuery(listReviewsQueryKey({ path }), (query, signal) => dataOf(listReviews({ path, query, signal })))
}

/** Current review state of a record. */
export const standingQuery = (businessId: string) => {
  const path = { businessId }
  const query = { limit: 1 }
  return queryOptions({
    queryKey: [{ ...listReviewsQueryKey({ path, query })[0], isStanding: true }] as const,
    queryFn: async ({ signal }): Promise<ReviewPage['standing']> =>
      (await dataOf(listReviews({ path, query, signal }))).standing,
  })
}

/** Called after a decision. */
export async function refreshReviewed(queryClient: QueryClient, businessId: string): Promise<void> {
  await Promise.all([refreshRecord(queryClient, businessId), refreshDashboard(queryClient)])
}

/** Called after a bulk action, which may have changed any record. */
export async function refreshAfterBulk(queryClient: QueryClient): Promise<void> {
  await Promise.all([refreshRecords(queryClient), refreshDashboard(queryClient)])
}

const refreshDashboard = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: answersAbout('dashboard') })
