import { sql } from 'kysely'
import { temporaryStore } from './temporary-store.ts'

/** Returns the tables whose rows belong to a business: by `business_id`, or by a foreign key to such a table. */
export async function tablesOfBusinesses(): Promise<Set<string>> {
  const { reader } = temporaryStore()
  const { rows: named } = await sql<{ name: string }>`
    SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = 'business_id'`.execute(
    reader,
  )
  const { rows: keys } = await sql<{ name: string; parent: string }>`
    SELECT t.name, k."table" AS parent FROM sqlite_schema t, pragma_foreign_key_list(t.name) k WHERE t.type = 'table'`.execute(
    reader,
  )
  const tables = new Set(['businesses', ...named.map(({ name }) => name)])
  for (let size = 0; size < tables.size; ) {
    size = tables.size
    for (const { name, parent } of keys) if (tables.has(parent)) tables.add(name)
  }
  return tables
}
