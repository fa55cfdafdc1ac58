import { listScans, listSitesOfBusiness, requestScan, type SupplyPageData, supplyPage } from '@prospect/api-client'
import { getScanningStatusOptions, listScansQueryKey, listSitesOfBusinessQueryKey } from '@prospect/api-client/query'
import type { QueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { transferringFile } from '../../ui/api/gated-fetch.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'

/** Of one prospect, or of the workspace. */
export const scansQuery = (businessId?: string) => {
  const filter = businessId === undefined ? {} : { businessId }
  return pagedQuery(listScansQueryKey({ query: filter }), (query, signal) =>
    dataOf(listScans({ query: { ...filter, ...query }, signal })),
  )
}

export const sitesQuery = (businessId: string) =>
  pagedQuery(listSitesOfBusinessQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listSitesOfBusiness({ path: { businessId }, query, signal })),
  )

export const statusQuery = getScanningStatusOptions()

export const sendPage = (businessId: string, body: SupplyPageData['body'], key: string) =>
  dataOf(supplyPage({ path: { businessId }, body, ...withKey(key), ...transferringFile }))

export const fetchPages = (body: { businessId: string; url: string }, key: string) =>
  dataOf(requestScan({ body, ...withKey(key) }))

/** After a page, a site or a scan: every list of them. */
export async function refreshScanning(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: answersAbout('scanning') })
}
