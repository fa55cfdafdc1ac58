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
  /** First and last calendar day in the tenant's time zone, both included. */
  from?: string
  to?: string
}
export type AuditSearch = AuditFilters & { event?: string }

const filterKeys = ['actor', 'action', 'subjectType', 'subjectId', 'from', 'to'] as const

type AuditAction = NonNullable<AuditQuery['action']>

/** True for text with the form of an action. The server rejects unknown actions. */
const isAction = (text: string): text is AuditAction => /^[a-z_]+\.[a-z_]+$/.test(text)

export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { action, ...others } = parseFilters(search, [...filterKeys, 'event'] as const)
  return {
    ...others,
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
