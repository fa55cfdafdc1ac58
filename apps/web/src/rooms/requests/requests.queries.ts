import { listSubjectRequests } from '@prospect/api-client'
import { getSubjectRequestOptions, listSubjectRequestsQueryKey } from '@prospect/api-client/query'
import type { QueryClient } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'
import type { RequestSearch } from './request-search.ts'

export const requestPages = (query: RequestSearch) =>
  pagedList(listSubjectRequestsQueryKey({ query }), (page, signal) =>
    dataOf(listSubjectRequests({ query: { ...query, ...page }, signal })),
  )

export const requestQuery = (requestId: string) => getSubjectRequestOptions({ path: { requestId } })

/** Called after a request was entered, changed, extended or answered. */
export async function refreshRequests(queryClient: QueryClient): Promise<void> {
  await Promise.all(
    [answersAbout('subject requests'), answersAbout('dashboard')].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
}
