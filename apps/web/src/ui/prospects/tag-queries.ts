import type { Page, TagCount } from '@prospect/api-client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api/api.ts'

export const tagsStartingWith = (prefix: string) =>
  queryOptions({
    queryKey: ['tags', prefix],
    queryFn: ({ signal }) =>
      api.get<Page<TagCount>>('/businesses/tags', { query: { prefix: prefix || undefined, limit: 20 }, signal }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
