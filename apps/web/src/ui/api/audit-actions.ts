import type { AuditActions } from '@prospect/api-client'
import { listAuditActionsOptions } from '@prospect/api-client/query'
import { queryOptions, useQuery } from '@tanstack/react-query'

/** Labels of audit actions and subjects. They change only with a release of the server, so they never become stale. */
const auditActionsQuery = queryOptions({ ...listAuditActionsOptions(), staleTime: Number.POSITIVE_INFINITY })

const noActions: AuditActions['items'] = []
const noSubjects: AuditActions['subjects'] = []

export function useAuditActions(): AuditActions['items'] {
  return useQuery(auditActionsQuery).data?.items ?? noActions
}

/** Types of records that audit events are about. */
export function useAuditSubjects(): AuditActions['subjects'] {
  return useQuery(auditActionsQuery).data?.subjects ?? noSubjects
}

/**
 * Returns the label of an audit action, such as 'Note added'. Returns the raw name while the labels load, and for actions the server no longer knows.
 */
export function useActionLabel(): (action: string) => string {
  const actions = useAuditActions()
  return (action) => actions.find((one) => one.action === action)?.label ?? action
}
