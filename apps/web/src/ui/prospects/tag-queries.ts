import { listTagsOptions } from '@prospect/api-client/query'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

export const tagsStartingWith = (prefix: string) =>
  queryOptions({
    ...listTagsOptions({ query: { ...(prefix !== '' && { prefix }), limit: 20 } }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
