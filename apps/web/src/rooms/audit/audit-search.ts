/** The address of the audit log: its filters and the event that is open, read strictly so that a shared link shows the same. */

import { parseFilters } from '../../ui/lists/search-params.ts'
import { instantsOf } from '../../ui/text/day.ts'

export type AuditFilters = {
  /** A user id. */
  actor?: string
  action?: string
  subjectType?: string
  subjectId?: string
  /** Calendar days in the tenant's zone, both included. */
  from?: string
  to?: string
}
export type AuditSearch = AuditFilters & { event?: string }

const filterKeys = ['actor', 'action', 'subjectType', 'subjectId', 'from', 'to'] as const

export const parseAuditSearch = (search: Record<string, unknown>): AuditSearch =>
  parseFilters(search, [...filterKeys, 'event'] as const)

export function filtersOf(search: AuditSearch): AuditFilters {
  const { event: _, ...filters } = search
  return filters
}

export const isFiltered = (search: AuditSearch) => filterKeys.some((key) => search[key] !== undefined)

/** As the API takes it. */
export function auditQueryOf(filters: AuditFilters, zone: string): Record<string, string> {
  return { ...filters, ...instantsOf(filters, zone) }
}
