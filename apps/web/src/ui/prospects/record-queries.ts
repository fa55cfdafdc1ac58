import type { Business, Fact } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/api.ts'
import { recordKey } from './record-keys.ts'

const read = (businessId: string, signal: AbortSignal) => api.get<Business>(`/businesses/${businessId}`, { signal })

export const businessQuery = (businessId: string) =>
  queryOptions({ queryKey: recordKey(businessId), queryFn: ({ signal }) => read(businessId, signal) })

/** For its name alone, beside what was written for it: not read again and again as the record on screen is. */
export const originQuery = (businessId: string) =>
  queryOptions({
    queryKey: [...recordKey(businessId), 'origin'],
    queryFn: ({ signal }) => read(businessId, signal),
    staleTime: 60_000,
  })

export const factsQuery = (businessId: string) =>
  queryOptions({
    queryKey: [...recordKey(businessId), 'facts'],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: Fact[] }>(`/businesses/${businessId}/facts`, { signal })).items,
  })
