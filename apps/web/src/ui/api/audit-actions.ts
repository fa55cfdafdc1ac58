import type { AuditActions } from '@prospect/api-client'
import { listAuditActionsOptions } from '@prospect/api-client/query'
import { queryOptions, useQuery } from '@tanstack/react-query'

/** The vocabulary of a release: it changes with the server alone. */
const auditActionsQuery = queryOptions({ ...listAuditActionsOptions(), staleTime: Number.POSITIVE_INFINITY })

const none: AuditActions['items'] = []

export function useAuditActions(): AuditActions['items'] {
  return useQuery(auditActionsQuery).data?.items ?? none
}

/** The label of an action, 'Note added'; the plain name of one that the server does not know any more, and until the labels are there. */
export function useActionLabel(): (action: string) => string {
  const actions = useAuditActions()
  return (action) => actions.find((one) => one.action === action)?.label ?? action
}
