import type { BusinessSummary, Page } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** What the API takes as a search, in characters. */
const MAX_SEARCH = 200
const SHOWN = 8

/** The few prospects that are shown while a text is typed to find one. Among the lists: their marks are read again as those of any other. */
export function foundBusinessesQuery(typed: string) {
  const q = typed.trim().slice(0, MAX_SEARCH)
  return queryOptions({
    queryKey: ['businesses', 'found', q],
    queryFn: async ({ signal }) =>
      (await api.get<Page<BusinessSummary>>('/businesses', { query: { q, limit: SHOWN }, signal })).items,
    enabled: q !== '',
  })
}
