import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import type { StoredStatus } from '../domains.table.ts'
import { freshnessOf } from './observations.rules.ts'

/** `not_checked`: no observation is stored. Every status but `resolved` is an uncertainty, never a verdict about an address. */
export type MailStatus = {
  status: StoredStatus | 'not_checked'
  observedAt: string | null
  freshness: 'fresh' | 'stale' | null
}

const notChecked: MailStatus = { status: 'not_checked', observedAt: null, freshness: null }

/** The newest stored MX observation of each of these names. Sends nothing. */
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
