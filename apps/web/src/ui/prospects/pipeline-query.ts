import { getPipelineOptions } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'

/** Pipeline states of the tenant with their counts, and the allowed moves. */
export const pipelineQuery = queryOptions({ ...getPipelineOptions(), staleTime: 30_000 })
