import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { larger } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'

type Db = Kysely<Database>

export async function findPosition(db: Db, tenantId: string): Promise<number> {
  const row = await db
    .selectFrom('match_positions')
    .select('sequence')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.sequence ?? 0
}

export async function savePosition(db: Db, tenantId: string, sequence: number): Promise<void> {
  await db
    .insertInto('match_positions')
    .values({ tenant_id: tenantId, sequence })
    .onConflict((conflict) =>
      conflict
        .column('tenant_id')
        .doUpdateSet({ sequence: larger<number>(sql.ref('sequence'), sql.ref('excluded.sequence')) }),
    )
    .execute()
}

const changesAfter = prepared<{ tenantId: string; after: number; limit: number }>()((db, param) =>
  db
    .selectFrom('audit_events')
    .select(['sequence', 'business_id'])
    .where('tenant_id', '=', param('tenantId'))
    .where('sequence', '>', param('after'))
    .orderBy('sequence')
    .limit(param('limit')),
)

/** Returns changes of the tenant after the given event, in order. */
export function selectChangesAfter(db: Db, tenantId: string, after: number, limit: number) {
  return changesAfter(db, { tenantId, after, limit })
}
