import {
  type DomainCandidateSummary,
  type DomainSummary,
  listDomainCandidates,
  listDomains,
} from '@prospect/api-client'
import {
  getDomainAvailabilityOptions,
  getDomainCandidateOptions,
  getDomainOptions,
  listDomainCandidatesQueryKey,
  listDomainsQueryKey,
} from '@prospect/api-client/query'
import type { QueryClient } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { ENTRIES_PER_PAGE, keepsPlace, type PagedList } from '../../ui/lists/visible-pages.ts'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import type { DomainSearch } from './domain-search.ts'

/** A row of the list. Withheld domains all have the same name, so the row id is its position. */
export type ListedDomain = DomainSummary & { id: string }

export const domainPages = (query: DomainSearch): PagedList<ListedDomain> => ({
  queryKey: listDomainsQueryKey({ query }),
  readPage: async (page, signal) => {
    const { items, ...rest } = await dataOf(listDomains({ query: { ...query, ...page }, signal }))
    return { ...rest, items: items.map((item, at) => ({ ...item, id: `${page.cursor ?? ''} ${at}` })) }
  },
  limit: ENTRIES_PER_PAGE,
  placeOf: keepsPlace,
})

export const domainQuery = (domain: string) => getDomainOptions({ path: { domain } })

export const availabilityQuery = (domain: string) => getDomainAvailabilityOptions({ path: { domain } })

const CANDIDATES_PER_PAGE = 20

export const candidatePages = (): PagedList<DomainCandidateSummary> => ({
  queryKey: listDomainCandidatesQueryKey({ query: {} }),
  readPage: (page, signal) => dataOf(listDomainCandidates({ query: page, signal })),
  limit: CANDIDATES_PER_PAGE,
  placeOf: keepsPlace,
})

export const candidateQuery = (candidateId: string) => getDomainCandidateOptions({ path: { candidateId } })

/** Called after every change of this room. */
export const refreshDomains = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: answersAbout('domains') })

/** Called after a decision, which may have changed or marked a record. */
export async function refreshDecided(queryClient: QueryClient): Promise<void> {
  await Promise.all([refreshDomains(queryClient), refreshRecords(queryClient)])
}
