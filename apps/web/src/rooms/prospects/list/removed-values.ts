import type { RemovedFilterValue } from '@prospect/api-client'
import { findRemovedFilterValuesOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { conditionsFrom } from './address-filters.ts'
import type { ProspectFilters } from './prospect-search.ts'

const fields: readonly string[] = ['assignee', 'tag', 'sourceLabel', 'priority', 'reachable']

const none: readonly RemovedFilterValue[] = []

/** Values of these filters that no longer exist in the workspace. */
export function useRemovedValues(filters: ProspectFilters): readonly RemovedFilterValue[] {
  // The values of the other fields always exist.
  const conditions = conditionsFrom(filters, 'UTC').filter(
    ({ field, values }) => fields.includes(field) && values.length > 0,
  )
  const options = findRemovedFilterValuesOptions({ query: { conditions: JSON.stringify(conditions) } })
  const { data } = useQuery({ ...options, enabled: conditions.length > 0 })
  return data?.removed ?? none
}
