import { type Kysely, sql } from 'kysely'
import { unique } from '../../../lib/unique.ts'
import type { Database } from '../../../store/database.ts'
import { elementsOf } from '../../../store/engine/dialect.ts'

/** Returns the names of these actors, as far as they are or were members of the tenant. */
export async function userNames(
  db: Kysely<Database>,
  tenantId: string,
  actors: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT u.id, u.name FROM ${elementsOf(unique(actors), 'w')}
    JOIN memberships AS m ON m.tenant_id = ${tenantId} AND m.user_id = w.value
    JOIN users AS u ON u.id = m.user_id`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
