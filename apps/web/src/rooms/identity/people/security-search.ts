/** The address of the security events: its filters, read strictly so that a shared link shows the same. */

import { parseFilters } from '../../../ui/lists/search-params.ts'
import { instantsOf } from '../../../ui/text/day.ts'

export type SecuritySearch = {
  /** A user id. */
  user?: string
  action?: string
  /** Calendar days in the tenant's zone, both included. */
  from?: string
  to?: string
}

const keys = ['user', 'action', 'from', 'to'] as const

export const parseSecuritySearch = (search: Record<string, unknown>): SecuritySearch => parseFilters(search, keys)

export const isFiltered = (search: SecuritySearch) => keys.some((key) => search[key] !== undefined)

/** As the API takes it. */
export function securityQueryOf(search: SecuritySearch, zone: string): Record<string, string> {
  return { ...search, ...instantsOf(search, zone) }
}
