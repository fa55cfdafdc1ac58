import { listBusinessesOptions } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { inputLimits } from '../forms/input-limits.ts'

const SHOWN = 8

/** The few prospects that are shown while a text is typed to find one. Refreshed with the lists, for their marks. */
export function prospectSearchQuery(typed: string) {
  const q = typed.trim().slice(0, inputLimits.search)
  return queryOptions({
    ...listBusinessesOptions({ query: { q, limit: SHOWN } }),
    select: ({ items }) => items,
    enabled: q !== '',
  })
}
