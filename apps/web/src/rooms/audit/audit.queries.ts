import { type ListAuditEventsData, listActivity, listAuditEvents } from '@prospect/api-client'
import { getAuditEventOptions, listActivityQueryKey, listAuditEventsQueryKey } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'

/** Audit events of a business, newest first. */
export const activityQuery = (businessId: string) =>
  pagedQuery(listActivityQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listActivity({ path: { businessId }, query, signal })),
  )

export type AuditQuery = Omit<NonNullable<ListAuditEventsData['query']>, 'cursor' | 'limit'>

export const auditPages = (query: AuditQuery) =>
  pagedList(listAuditEventsQueryKey({ query }), (page, signal) =>
    dataOf(listAuditEvents({ query: { ...query, ...page }, signal })),
  )

/** One audit event. Events never change, so the query never becomes stale. */
export const auditEventQuery = (id: string) =>
  queryOptions({ ...getAuditEventOptions({ path: { id } }), staleTime: Number.POSITIVE_INFINITY })
