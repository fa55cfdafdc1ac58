import type { Business, SubjectRequest } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { businessQuery } from '../../ui/prospects/record-queries.ts'
import { refreshRequests } from './requests.queries.ts'

/**
 * Returns the prospect of a request; undefined if there is none, or if it was erased. Each time the prospect is read again, the request is too: the change
 * of the prospect can be one of the acts that carry the request out.
 */
export function useProspectOf({ business }: Pick<SubjectRequest, 'business'>): Business | undefined {
  const queryClient = useQueryClient()
  const { data, dataUpdatedAt } = useQuery({
    ...businessQuery(business?.id ?? ''),
    enabled: business !== null && !business.isErased,
  })
  const seen = useRef(dataUpdatedAt)
  useEffect(() => {
    const before = seen.current
    seen.current = dataUpdatedAt
    if (before !== 0 && before !== dataUpdatedAt) void refreshRequests(queryClient)
  }, [dataUpdatedAt, queryClient])
  return business === null || business.isErased ? undefined : data
}
