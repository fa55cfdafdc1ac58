import type { Capability } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** What works, phase by phase, as the server tells it. */
export const capabilitiesQuery = queryOptions({
  queryKey: ['capabilities'],
  queryFn: async ({ signal }) => (await api.get<{ items: Capability[] }>('/capabilities', { signal })).items,
  staleTime: 10 * 60_000,
})

export const capabilityWords: Record<Capability['status'], string> = {
  operational: 'Operational',
  partial: 'Partly built',
  not_built: 'Not built yet',
  disabled: 'Off',
}
