/** Search parameters of the security events. Invalid values are dropped, so that a shared link shows the same. */

import { parseFilters } from '../../../ui/lists/search-params.ts'
import { instantsOf } from '../../../ui/text/day.ts'

export type SecuritySearch = {
  /** Id of a user. */
  user?: string
  action?: string
  /** First and last calendar day in the tenant's time zone, both included. */
  from?: string
  to?: string
}

const keys = ['user', 'action', 'from', 'to'] as const

export const parseSecuritySearch = (search: Record<string, unknown>): SecuritySearch => parseFilters(search, keys)

/** Query of the API for the filters. */
export function securityQueryOf(search: SecuritySearch, zone: string): Record<string, string> {
  return { ...search, ...instantsOf(search, zone) }
}
