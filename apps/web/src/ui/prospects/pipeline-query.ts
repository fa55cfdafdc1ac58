import { getPipelineOptions } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'

/** The states of this tenant with their counts, and the moves between them. */
export const pipelineQuery = queryOptions({ ...getPipelineOptions(), staleTime: 30_000 })
