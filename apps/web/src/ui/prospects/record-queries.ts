import { getBusiness } from '@prospect/api-client'
import { getBusinessOptions, listFactsOptions } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../api/data-of.ts'
import { recordKey } from './record-keys.ts'

export const businessQuery = (businessId: string) => getBusinessOptions({ path: { businessId } })

/** A merged record, queried only for its name beside an entry. It is cached longer than the record on screen. */
export const originQuery = (businessId: string) =>
  queryOptions({
    queryKey: [{ ...recordKey(businessId)[0], isOrigin: true }] as const,
    queryFn: ({ signal }) => dataOf(getBusiness({ path: { businessId }, signal })),
    staleTime: 60_000,
  })

export const factsQuery = (businessId: string) =>
  queryOptions({ ...listFactsOptions({ path: { businessId } }), select: ({ items }) => items })
