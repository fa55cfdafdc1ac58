import type { FilterInput, RemovedFilterValue } from '@prospect/api-client'
import { findRemovedFilterValuesOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'

const fields: readonly string[] = ['assignee', 'tag', 'sourceLabel', 'priority', 'reachable']

const none: readonly RemovedFilterValue[] = []

/** Values of these filters that no longer exist in the workspace. */
export function useRemovedValues(filter: FilterInput): readonly RemovedFilterValue[] {
  // The values of the other fields always exist.
  const conditions = filter.filter(({ field, values }) => fields.includes(field) && values.length > 0)
  const options = findRemovedFilterValuesOptions({ query: { conditions: JSON.stringify(conditions) } })
  const { data } = useQuery({ ...options, enabled: conditions.length > 0 })
  return data?.removed ?? none
}
