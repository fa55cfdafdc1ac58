import { listBusinessesOptions } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { inputLimits } from '../forms/input-limits.ts'

const SHOWN = 8

/** The first matching prospects while the user types. They refresh together with the lists, so that their marks are current. */
export function prospectSearchQuery(typed: string) {
  const q = typed.trim().slice(0, inputLimits.search)
  return queryOptions({
    ...listBusinessesOptions({ query: { q, limit: SHOWN } }),
    select: ({ items }) => items,
    enabled: q !== '',
  })
}
