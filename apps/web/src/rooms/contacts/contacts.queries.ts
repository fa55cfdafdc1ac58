import {
  type ExtractionList,
  type ListContactCandidatesData,
  listContactCandidates,
  type ScanList,
} from '@prospect/api-client'
import {
  getExtractionReadinessOptions,
  listContactCandidatesQueryKey,
  listExtractionsOptions,
  listScansOptions,
} from '@prospect/api-client/query'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'

const CANDIDATES_PER_PAGE = 20
const LOOK_AGAIN_MS = 1_000
/** Time for which the API keeps the content of a page in memory. */
const IN_MEMORY_MS = 15 * 60_000
/** Maximum number of scans per request. */
const MAX_SCANS = 10

export const readinessQuery = getExtractionReadinessOptions()

/** Newest extraction of a prospect. Polled while it is queued or running. */
export const newestExtractionQuery = (businessId: string) =>
  queryOptions({
    ...listExtractionsOptions({ query: { businessId, limit: 1 } }),
    refetchInterval: ({ state: { data } }: { state: { data?: ExtractionList | undefined } }) =>
      data?.items.some(({ endedAt }) => endedAt === null) ? LOOK_AGAIN_MS : false,
  })

/** Ids of scans whose pages are still in the API's memory. */
export const recentScansQuery = (businessId: string) =>
  queryOptions({
    ...listScansOptions({ query: { businessId, limit: MAX_SCANS } }),
    select: recentScans,
  })

function recentScans({ items }: ScanList): string[] {
  const since = serverNow().getTime() - IN_MEMORY_MS
  return items
    .filter(({ state, endedAt, pages }) => {
      const isRead = (state === 'complete' || state === 'incomplete') && pages.length > 0
      return isRead && endedAt !== null && Date.parse(endedAt) > since
    })
    .map(({ id }) => id)
}

export type ContactFilter = Pick<NonNullable<ListContactCandidatesData['query']>, 'state'>

/** Candidates in one state. A decision removes its candidate from any page, so a refresh reads all loaded pages. */
export const contactsQuery = (filter: ContactFilter) =>
  pagedQuery(listContactCandidatesQueryKey({ query: filter }), (page, signal) =>
    dataOf(listContactCandidates({ query: { ...filter, limit: CANDIDATES_PER_PAGE, ...page }, signal })),
  )

/** Called after a decision, which may have changed a record. */
export async function refreshContacts(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: answersAbout('contacts') }),
    refreshRecords(queryClient),
  ])
}
