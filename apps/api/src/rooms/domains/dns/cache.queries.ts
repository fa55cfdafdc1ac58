import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { alongIndex } from '../../../store/engine/dialect.ts'
import type { DnsCacheTable, DnsKind } from '../domains.table.ts'

export type CacheKey = { name: string; kind: DnsKind; policyVersion: string }

export function findEntry(db: Db, tenantId: string, { name, kind, policyVersion }: CacheKey) {
  return db
    .selectFrom('dns_cache')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('name', '=', name)
    .where('kind', '=', kind)
    .where('class', '=', 'IN')
    .where('policy_version', '=', policyVersion)
    .executeTakeFirst()
}

export async function deleteEntry(db: Db, tenantId: string, { name, kind, policyVersion }: CacheKey): Promise<void> {
  await db
    .deleteFrom('dns_cache')
    .where('tenant_id', '=', tenantId)
    .where('name', '=', name)
    .where('kind', '=', kind)
    .where('class', '=', 'IN')
    .where('policy_version', '=', policyVersion)
    .execute()
}

export async function touchEntry(db: Db, tenantId: string, key: CacheKey, used: number): Promise<void> {
  await db
    .updateTable('dns_cache')
    .set({ used })
    .where('tenant_id', '=', tenantId)
    .where('name', '=', key.name)
    .where('kind', '=', key.kind)
    .where('class', '=', 'IN')
    .where('policy_version', '=', key.policyVersion)
    .execute()
}

export async function saveEntry(db: Db, row: DnsCacheTable): Promise<void> {
  const { observation_id, domain, suffix_list_version, expires_at, used } = row
  await db
    .insertInto('dns_cache')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'name', 'kind', 'class', 'policy_version'])
        .doUpdateSet({ observation_id, domain, suffix_list_version, expires_at, used }),
    )
    .execute()
}

/** Returns a use number that is higher than those of all entries. It is a counter, because the clock can return the same time twice. */
export async function nextUse(db: Db, tenantId: string): Promise<number> {
  const { used } = await db
    .selectFrom('dns_cache')
    .select(({ fn }) => fn.max('used').as('used'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return (used ?? 0) + 1
}

export async function countEntries(db: Db, tenantId: string): Promise<number> {
  const { count } = await db
    .selectFrom('dns_cache')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteLeastUsed(db: Db, tenantId: string, count: number): Promise<void> {
  await sql`
    DELETE FROM dns_cache WHERE tenant_id = ${tenantId} AND used IN (
      SELECT used FROM dns_cache WHERE tenant_id = ${tenantId} ORDER BY used LIMIT ${count})`.execute(db)
}

/** Returns the entries that were derived by another version of the suffix list. The size of the cache bounds the result. */
export function selectOlderEntries(db: Db, tenantId: string, version: string): Promise<DnsCacheTable[]> {
  return db
    .selectFrom('dns_cache')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('suffix_list_version', '<>', version)
    .execute()
}

/** Deletes the cache entries of a domain when its observations are erased. */
export async function deleteEntriesOf(db: Db, tenantId: string, domain: string): Promise<void> {
  await sql`DELETE FROM dns_cache ${alongIndex('dns_cache_by_domain')} WHERE tenant_id = ${tenantId} AND domain = ${domain}`.execute(
    db,
  )
}
