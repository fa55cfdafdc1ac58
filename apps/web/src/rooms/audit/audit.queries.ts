import type { AuditEvent, AuditVerification } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api, type QueryValue } from '../../ui/api/api.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { ENTRIES_PER_PAGE, keepsPlace, type PagedList } from '../../ui/lists/visible-pages.ts'
import { recordKey } from '../../ui/prospects/record-keys.ts'

/** What happened to one business, newest first. */
export const activityQuery = (businessId: string) =>
  pagedQuery<AuditEvent>([...recordKey(businessId), 'activity'], `/businesses/${businessId}/activity`)

export const auditPages = (filters: Record<string, QueryValue>): PagedList<AuditEvent> => ({
  queryKey: ['audit-events', filters],
  path: '/audit-events',
  query: filters,
  limit: ENTRIES_PER_PAGE,
  placeOf: keepsPlace,
})

export const auditEventQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['audit-event', eventId],
    queryFn: ({ signal }) => api.get<AuditEvent>(`/audit-events/${eventId}`, { signal }),
    // An event never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })

export const verifyAudit = (after: number | null) =>
  api.get<AuditVerification>('/audit-events/verification', { query: { after } })
