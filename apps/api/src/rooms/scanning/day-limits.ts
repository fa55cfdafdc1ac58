import type { LimitWords } from '../../lib/limit-reached.ts'
import type { UsedLimit } from '../room.ts'
import type { Budgets } from './bounds.ts'
import { findCurrentPolicy } from './policies/policies.queries.ts'
import { scanCounts } from './scans/scans.queries.ts'

const ofDay = { of: 'tenant', per: 'day', remedy: 'A new day begins at midnight in UTC.' } as const

export const suppliedOfDay: LimitWords = { ...ofDay, name: 'supplied_pages_of_day', label: 'pages supplied' }
const fetchedOfDay: LimitWords = { ...ofDay, name: 'fetched_scans_of_day', label: 'scans that fetch pages' }

/** The limits of a day, which the scan policy sets, for `GET /limits`. */
export const dayLimits: readonly UsedLimit[] = [
  { ...suppliedOfDay, read: reader('supplied', 'suppliedPerDay') },
  { ...fetchedOfDay, read: reader('fetched', 'fetchedPerDay') },
]

function reader(counted: 'supplied' | 'fetched', bound: keyof Budgets): UsedLimit['read'] {
  return async ({ store }, { tenantId, now }) => ({
    used: (await scanCounts.read(store.reader, { tenantId, at: now }))[counted],
    max: (await findCurrentPolicy(store.reader, tenantId)).budgets[bound],
  })
}
