import {
  type DomainCandidate,
  type DomainSummary,
  listDomainCandidates,
  listDomains,
  previewDomainRejection,
} from '@prospect/api-client'
import {
  getDomainAvailabilityOptions,
  getDomainCandidateOptions,
  getDomainOptions,
  listDnsObservationsOptions,
  listDomainCandidatesQueryKey,
  listDomainsQueryKey,
} from '@prospect/api-client/query'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import type { CandidateSearch, DomainSearch } from './domain-search.ts'
import { HIDDEN } from './domain-words.ts'

/** A row of the list. Withheld domains all have the same name, so the row id is its position. */
export type ListedDomain = DomainSummary & { id: string }

export const domainPages = (query: DomainSearch) =>
  pagedList(listDomainsQueryKey({ query }), async (page, signal) => {
    const { items, ...rest } = await dataOf(listDomains({ query: { ...query, ...page }, signal }))
    return { ...rest, items: items.map((item, at) => ({ ...item, id: `${page.cursor ?? ''} ${at}` })) }
  })

export const domainQuery = (domain: string) => getDomainOptions({ path: { domain } })

export const availabilityQuery = (domain: string) => getDomainAvailabilityOptions({ path: { domain } })

/** Newest observations of one name. Three kinds of records rarely need more. */
export const observationsOfNameQuery = (name: string) => listDnsObservationsOptions({ query: { name, limit: 20 } })

const CANDIDATES_PER_PAGE = 20

const DOMAINS_PER_PAGE = 20

/** Domains with open candidates. The id of a row is its domain, so that an opened group stays open; withheld domains are numbered. */
export const waitingQuery = (search: CandidateSearch) => {
  const query = { ...search, isWaiting: 'true' as const }
  return pagedQuery<ListedDomain>(listDomainsQueryKey({ query }), async (page, signal) => {
    const { items, ...rest } = await dataOf(
      listDomains({ query: { ...query, limit: DOMAINS_PER_PAGE, ...page }, signal }),
    )
    return {
      ...rest,
      items: items.map((item, at) => ({ ...item, id: `${item.domain} ${item.domain === HIDDEN ? at : ''}` })),
    }
  })
}

/** Open candidates of a domain. A decision removes its candidate from any page, so a refresh reads all loaded pages. */
export const candidatesQuery = (domain: string) =>
  pagedQuery(listDomainCandidatesQueryKey({ query: { domain } }), (page, signal) =>
    dataOf(listDomainCandidates({ query: { domain, limit: CANDIDATES_PER_PAGE, ...page }, signal })),
  )

export const previewRejection = (domain: string) => dataOf(previewDomainRejection({ query: { domain } }))

const LOOK_AGAIN_MS = 3_000

/** One candidate. Read again until the changes of other prospects are counted. */
export const candidateQuery = (candidateId: string) =>
  queryOptions({
    ...getDomainCandidateOptions({ path: { candidateId } }),
    refetchInterval: ({ state: { data } }: { state: { data?: DomainCandidate | undefined } }) =>
      data?.isCurrent === false ? LOOK_AGAIN_MS : false,
  })

/** Called after every change of this room. */
export const refreshDomains = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: answersAbout('domains') })

/** Called after a decision, which may have changed or marked a record. */
export async function refreshDecided(queryClient: QueryClient): Promise<void> {
  await Promise.all([refreshDomains(queryClient), refreshRecords(queryClient)])
}
