import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import type { StoredStatus } from '../domains.table.ts'
import { selectLatest } from '../list/domains.queries.ts'
import { freshnessOf } from './observations.rules.ts'

/**
 * Status of the newest stored MX observation of a name. `not_checked`: none is stored. Any status except `resolved` is an uncertainty and proves
 * nothing about an address.
 */
export type MailStatus = {
  status: StoredStatus | 'not_checked'
  observedAt: string | null
  freshness: 'fresh' | 'stale' | null
}

const notChecked: MailStatus = { status: 'not_checked', observedAt: null, freshness: null }

/** Returns the status of the newest stored MX observation of each of these names. Sends no query. */
export async function findMailStatuses(
  db: Kysely<Database>,
  tenantId: string,
  names: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, MailStatus>> {
  const statuses = new Map(names.map((name) => [name, notChecked]))
  for (const { name, status, observed_at: observedAt, ttl } of await selectLatest(db, {
    tenantId,
    names,
    kinds: ['MX'],
  }))
    statuses.set(name, { status, observedAt, freshness: freshnessOf(observedAt, ttl, now)?.state ?? null })
  return statuses
}
