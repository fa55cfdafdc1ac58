import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'

/** Returns the number that stands for the tenant in the keys of score tables. */
export async function findTenantNumber(db: Kysely<Database>, tenantId: string): Promise<number> {
  const { number } = await db
    .selectFrom('tenants')
    .select('number')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return number
}
