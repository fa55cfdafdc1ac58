import type { Business, Fact } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import { recordKey } from './record-keys.ts'

export const businessQuery = (businessId: string) =>
  queryOptions({
    queryKey: recordKey(businessId),
    queryFn: ({ signal }) => api.get<Business>(`/businesses/${businessId}`, { signal }),
  })

export const factsQuery = (businessId: string) =>
  queryOptions({
    queryKey: [...recordKey(businessId), 'facts'],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: Fact[] }>(`/businesses/${businessId}/facts`, { signal })).items,
  })
