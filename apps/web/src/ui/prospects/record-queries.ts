import { getBusiness } from '@prospect/api-client'
import { getBusinessOptions, listFactsOptions } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../api/data-of.ts'
import { recordKey } from './record-keys.ts'

export const businessQuery = (businessId: string) => getBusinessOptions({ path: { businessId } })

/** For its name alone, beside an entry that was added to it: not refreshed every 30 seconds like the record on screen. */
export const originQuery = (businessId: string) =>
  queryOptions({
    queryKey: [{ ...recordKey(businessId)[0], isOrigin: true }] as const,
    queryFn: ({ signal }) => dataOf(getBusiness({ path: { businessId }, signal })),
    staleTime: 60_000,
  })

export const factsQuery = (businessId: string) =>
  queryOptions({ ...listFactsOptions({ path: { businessId } }), select: ({ items }) => items })
