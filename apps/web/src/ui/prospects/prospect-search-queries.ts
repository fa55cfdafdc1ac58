import type { BusinessSummary, Page } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/api.ts'
import { inputLimits } from '../forms/input-limits.ts'

const SHOWN = 8

/** The few prospects that are shown while a text is typed to find one. Among the lists: their marks are read again as those of any other. */
export function prospectSearchQuery(typed: string) {
  const q = typed.trim().slice(0, inputLimits.search)
  return queryOptions({
    queryKey: ['businesses', 'found', q],
    queryFn: async ({ signal }) =>
      (await api.get<Page<BusinessSummary>>('/businesses', { query: { q, limit: SHOWN }, signal })).items,
    enabled: q !== '',
  })
}
