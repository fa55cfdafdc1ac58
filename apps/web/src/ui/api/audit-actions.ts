import type { AuditActions } from '@prospect/api-client'
import { listAuditActionsOptions } from '@prospect/api-client/query'
import { queryOptions, useQuery } from '@tanstack/react-query'

/** The list of audit actions. It changes only with a release of the server, so it never becomes stale. */
const auditActionsQuery = queryOptions({ ...listAuditActionsOptions(), staleTime: Number.POSITIVE_INFINITY })

const noActions: AuditActions['items'] = []

export function useAuditActions(): AuditActions['items'] {
  return useQuery(auditActionsQuery).data?.items ?? noActions
}

/**
 * Returns the label of an audit action, such as 'Note added'. Returns the raw name while the labels load, and for actions the server no longer knows.
 */
export function useActionLabel(): (action: string) => string {
  const actions = useAuditActions()
  return (action) => actions.find((one) => one.action === action)?.label ?? action
}
