import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import type { StoredStatus } from '../domains.table.ts'
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
  const statuses = new Map<string, MailStatus>()
  for (const name of new Set(names)) {
    const row = await db
      .selectFrom('dns_observations')
      .select(['status', 'observed_at', 'ttl'])
      .where('tenant_id', '=', tenantId)
      .where('name', '=', name)
      .where('kind', '=', 'MX')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    statuses.set(
      name,
      row === undefined
        ? notChecked
        : {
            status: row.status,
            observedAt: row.observed_at,
            freshness: freshnessOf(row.observed_at, row.ttl, now)?.state ?? null,
          },
    )
  }
  return statuses
}
