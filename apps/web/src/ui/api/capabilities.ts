import type { Capability } from '@prospect/api-client'
import { listCapabilitiesOptions } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'

/** What works, phase by phase, as the server reports it. */
export const capabilitiesQuery = queryOptions({
  ...listCapabilitiesOptions(),
  select: ({ items }) => items,
  staleTime: 10 * 60_000,
})

export const capabilityWords: Record<Capability['status'], string> = {
  operational: 'Operational',
  partial: 'Partly built',
  contract_only: 'Contract only',
  not_built: 'Not built yet',
  disabled: 'Off',
}
