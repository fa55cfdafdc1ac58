import type { LastAcceptance } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../ui/api/api.ts'

/** The last acceptance report that was written beside the store; its report is null when there is none. */
export const acceptanceQuery = queryOptions({
  queryKey: ['acceptance-report'],
  queryFn: ({ signal }) => api.get<LastAcceptance>('/acceptance-report', { signal }),
})
