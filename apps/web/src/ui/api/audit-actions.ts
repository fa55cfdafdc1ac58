import type { AuditActions } from '@prospect/api-client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** The vocabulary of a release: it changes with the server alone. */
const auditActionsQuery = queryOptions({
  queryKey: ['audit-actions'],
  queryFn: ({ signal }) => api.get<AuditActions>('/audit-actions', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

const none: AuditActions['items'] = []

export function useAuditActions(): AuditActions['items'] {
  return useQuery(auditActionsQuery).data?.items ?? none
}

/** The label of an action, 'Note added'; the plain name of one that the server does not know any more, and until the labels are there. */
export function useActionLabel(): (action: string) => string {
  const actions = useAuditActions()
  return (action) => actions.find((one) => one.action === action)?.label ?? action
}
