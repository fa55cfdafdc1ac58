import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'

/** The number of the tenant in the keys of scores. */
export async function findTenantNumber(db: Kysely<Database>, tenantId: string): Promise<number> {
  const { number } = await db
    .selectFrom('tenants')
    .select('number')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return number
}
