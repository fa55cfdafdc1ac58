/** The address of the security events: its filters, read strictly so that a shared link shows the same. */
import { nextDay, startOfDay } from '../../../ui/format.ts'

export type SecuritySearch = {
  /** A user id. */
  user?: string
  action?: string
  /** Calendar days in the tenant's zone, both included. */
  from?: string
  to?: string
}

const keys = ['user', 'action', 'from', 'to'] as const

export function parseSecuritySearch(search: Record<string, unknown>): SecuritySearch {
  const result: SecuritySearch = {}
  for (const key of keys) {
    const value = search[key]
    if (typeof value !== 'string' || value === '' || value.length > 200) continue
    if ((key === 'from' || key === 'to') && !isDay(value)) continue
    result[key] = value
  }
  return result
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

export const isFiltered = (search: SecuritySearch) => keys.some((key) => search[key] !== undefined)

/** As the API takes it: the days become the instants at which they begin and end in the zone. */
export function securityQueryOf({ from, to, ...rest }: SecuritySearch, zone: string): Record<string, string> {
  return {
    ...rest,
    ...(from === undefined ? {} : { from: startOfDay(from, zone) }),
    ...(to === undefined ? {} : { to: startOfDay(nextDay(to), zone) }),
  }
}
