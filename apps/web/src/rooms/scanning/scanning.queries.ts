import {
  type ListScansData,
  listOfficialSites,
  listScanPolicies,
  listScans,
  listSitesOfBusiness,
  requestScan,
  type Scan,
  type SupplyPageData,
  supplyPage,
} from '@prospect/api-client'
import {
  getScanningStatusOptions,
  listDomainCandidatesOptions,
  listOfficialSitesQueryKey,
  listScanPoliciesQueryKey,
  listScansQueryKey,
  listSitesOfBusinessQueryKey,
} from '@prospect/api-client/query'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { transferringFile } from '../../ui/api/gated-fetch.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'

const LOOK_AGAIN_MS = 3_000

export type ScanFilter = Pick<NonNullable<ListScansData['query']>, 'businessId' | 'origin' | 'state' | 'freshness'>

/** Scans of a prospect or of the workspace. Polled while one of them runs. */
export const scansQuery = (filter: ScanFilter) => ({
  ...pagedQuery(listScansQueryKey({ query: filter }), (query, signal) =>
    dataOf(listScans({ query: { ...filter, ...query }, signal })),
  ),
  refetchInterval: (query: { state: { data?: { pages: { items: Scan[] }[] } | undefined } }) =>
    query.state.data?.pages.some(({ items }) => items.some(isUnderWay)) ? LOOK_AGAIN_MS : (false as const),
})

export const isUnderWay = ({ state }: Pick<Scan, 'state'>): boolean => state === 'queued' || state === 'running'

export const sitesQuery = (businessId: string) =>
  pagedQuery(listSitesOfBusinessQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listSitesOfBusiness({ path: { businessId }, query, signal })),
  )

/** Sites of all prospects that nobody has decided about, or the own proposals with a recent decision. */
export const proposedSitesQuery = (state: 'proposed' | 'answered') =>
  pagedQuery(listOfficialSitesQueryKey({ query: { state } }), (query, signal) =>
    dataOf(listOfficialSites({ query: { state, ...query }, signal })),
  )

/** Domains accepted for a prospect that the user may see. */
export const acceptedDomainsQuery = (businessId: string) =>
  queryOptions({
    ...listDomainCandidatesOptions({ query: { businessId, state: 'accepted' } }),
    select: ({ items }) => items.filter(({ domain }) => domain !== HIDDEN),
  })

/** Placeholder for a value that the API withholds from the user's role. */
const HIDDEN = '•••'

export const policiesQuery = pagedQuery(listScanPoliciesQueryKey(), (query, signal) =>
  dataOf(listScanPolicies({ query, signal })),
)

export const statusQuery = getScanningStatusOptions()

export const sendPage = (businessId: string, body: SupplyPageData['body'], key: string) =>
  dataOf(supplyPage({ path: { businessId }, body, ...withKey(key), ...transferringFile }))

export const fetchPages = (body: { businessId: string; url: string }, key: string) =>
  dataOf(requestScan({ body, ...withKey(key) }))

/** Called after a change of a page, site or scan. */
export async function refreshScanning(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: answersAbout('scanning') })
}
