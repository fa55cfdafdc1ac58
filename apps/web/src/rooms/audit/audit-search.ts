/** The address of the audit log: its filters and the event that is open, read strictly so that a shared link shows the same. */
import { nextDay, startOfDay } from '../../ui/format.ts'

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
const day = /^\d{4}-\d{2}-\d{2}$/

export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const result: AuditSearch = {}
  for (const key of [...filterKeys, 'event'] as const) {
    const value = search[key]
    if (typeof value !== 'string' || value === '' || value.length > 200) continue
    if ((key === 'from' || key === 'to') && !isDay(value)) continue
    result[key] = value
  }
  return result
}

const isDay = (text: string) => day.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

export function filtersOf(search: AuditSearch): AuditFilters {
  const { event: _, ...filters } = search
  return filters
}

export const isFiltered = (search: AuditSearch) => filterKeys.some((key) => search[key] !== undefined)

/** As the API takes it: the days become the instants at which they begin and end in the zone. */
export function auditQueryOf({ from, to, ...rest }: AuditFilters, zone: string): Record<string, string> {
  return {
    ...rest,
    ...(from === undefined ? {} : { from: startOfDay(from, zone) }),
    ...(to === undefined ? {} : { to: startOfDay(nextDay(to), zone) }),
  }
}
