/** Search parameters of the audit log: its filters and the open event. Invalid values are dropped, so that a shared link shows the same. */

import { parseFilters, withoutUndefined } from '../../ui/lists/search-params.ts'
import { instantsOf } from '../../ui/text/day.ts'
import type { AuditQuery } from './audit.queries.ts'

export type AuditFilters = {
  /** Id of the acting user. */
  actor?: string
  action?: AuditAction
  subjectType?: string
  subjectId?: string
  /** The prospect whose events are listed, with those of its notes and other parts. */
  businessId?: string
  /** Field of this prospect that the events changed. */
  field?: string
  /** First and last calendar day in the tenant's time zone, both included. */
  from?: string
  to?: string
}
export type AuditSearch = AuditFilters & { event?: string }

const filterKeys = ['actor', 'action', 'subjectType', 'subjectId', 'businessId', 'field', 'from', 'to'] as const

type AuditAction = NonNullable<AuditQuery['action']>

/** True for text with the form of an action. The server rejects unknown actions. */
const isAction = (text: string): text is AuditAction => /^[a-z_]+\.[a-z_]+$/.test(text)

/** The API lists the changes of a field for one prospect only. */
const isFieldName = (text: string): boolean => /^\w{1,50}$/.test(text)

export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { action, field, ...others } = parseFilters(search, [...filterKeys, 'event'] as const)
  return {
    ...others,
    ...(field !== undefined && others.businessId !== undefined && isFieldName(field) && { field }),
    ...(action !== undefined && isAction(action) && { action }),
  }
}

export function filtersOf(search: AuditSearch): AuditFilters {
  const { event: _, ...filters } = search
  return filters
}

export const isFiltered = (search: AuditSearch) => filterKeys.some((key) => search[key] !== undefined)

/** Query of the API for the filters. */
export function auditQueryOf({ from, to, ...filters }: AuditFilters, zone: string): AuditQuery {
  return { ...filters, ...instantsOf(withoutUndefined({ from, to }), zone) }
}
