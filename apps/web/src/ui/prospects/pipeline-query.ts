import type { Pipeline } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/api.ts'

/** The states of this tenant with their counts, and the moves between them. */
export const pipelineQuery = queryOptions({
  queryKey: ['pipeline'],
  queryFn: ({ signal }) => api.get<Pipeline>('/pipeline', { signal }),
  staleTime: 30_000,
})
