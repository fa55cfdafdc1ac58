import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { inList, larger } from '../engine/dialect.ts'
import { prepared, preparedInsert, preparedRow } from '../engine/prepared.ts'
import type { FollowerPosition } from '../store.table.ts'

/** An audit event without its content. */
export type FollowedEvent = {
  sequence: number
  at: string
  actor: string
  action: string
  subject_type: string
  subject_id: string
  business_id: string | null
}

type Key = { tenantId: string; follower: string }

/** Returns the tenant's events after a sequence, in order. */
export const selectEventsAfter = prepared<{ tenantId: string; after: number; limit: number }>()((db, param) =>
  db
    .selectFrom('audit_events')
    .select(['sequence', 'at', 'actor', 'action', 'subject_type', 'subject_id', 'business_id'])
    .where('tenant_id', '=', param('tenantId'))
    .where('sequence', '>', param('after'))
    .orderBy('sequence')
    .limit(param('limit')),
)

export const findPosition = preparedRow<Key>()((db, param) =>
  db
    .selectFrom('follower_positions')
    .selectAll()
    .where('tenant_id', '=', param('tenantId'))
    .where('follower', '=', param('follower')),
)

const newestOf = prepared<{ tenantId: string }>()((db, param) =>
  db
    .selectFrom('audit_events')
    .select('sequence')
    .where('tenant_id', '=', param('tenantId'))
    .orderBy('sequence', 'desc')
    .limit(1),
)

/** Returns the sequence of the tenant's newest event, or 0. */
export async function findNewest(db: Db, tenantId: string): Promise<number> {
  const [row] = await newestOf(db, { tenantId })
  return row?.sequence ?? 0
}

/** Returns the sequence of the newest event of a tenant, or 0. `tenantId`: a column of the query. */
const newestIn = (tenantId: string) =>
  sql<number>`coalesce((SELECT e.sequence FROM audit_events e WHERE e.tenant_id = ${sql.ref(tenantId)} ORDER BY e.sequence DESC LIMIT 1), 0)`

/** Returns a page of all tenants after an id, each with the sequence of its newest event; 0 for an empty chain. */
export const selectNewest = prepared<{ after: string; limit: number }>()(
  (_db, param) => sql<{ tenantId: string; newest: number }>`
    SELECT t.id AS "tenantId", ${newestIn('t.id')} AS newest
    FROM tenants t WHERE t.id > ${param('after')} ORDER BY t.id LIMIT ${param('limit')}`,
)

/** Returns the number of events of all tenants after the stored position of each follower. */
export async function selectEventsBehind(db: Db): Promise<{ follower: string; events: number }[]> {
  const { rows } = await sql<{ follower: string; events: number }>`
    SELECT p.follower, sum(${larger(sql`0`, sql`${newestIn('p.tenant_id')} - p.sequence`)}) AS events
    FROM follower_positions p GROUP BY p.follower`.execute(db)
  return rows
}

/** Returns the number of the tenant's events after the stored position of each follower, and the time of the first of them. */
export const selectBehind = prepared<{ tenantId: string }>()(
  (_db, param) => sql<{ follower: string; events: number; since: string }>`
    SELECT p.follower, ${newestIn('p.tenant_id')} - p.sequence AS events, e.at AS since
    FROM follower_positions p JOIN audit_events e ON e.tenant_id = p.tenant_id AND e.sequence = p.sequence + 1
    WHERE p.tenant_id = ${param('tenantId')} ORDER BY p.follower`,
)

/** Returns the positions of these tenants. */
export function selectPositions(db: Db, tenantIds: readonly string[]): Promise<FollowerPosition[]> {
  return db.selectFrom('follower_positions').selectAll().where('tenant_id', 'in', inList(tenantIds)).execute()
}

/**
 * Begins to follow a tenant after its newest event, within the change that creates the first row which the follower derives from. Does nothing if the
 * tenant is followed already.
 */
export async function beginFollowing(db: Db, { tenantId, follower }: Key): Promise<void> {
  await insertPosition(db, { tenant_id: tenantId, follower, sequence: await findNewest(db, tenantId), version: '' })
}

/** Inserts a position, unless one is stored. */
export const insertPosition = preparedInsert(
  'follower_positions',
  ['tenant_id', 'follower', 'sequence', 'version'],
  'ignore',
)

/** Stores that everything up to a sequence was derived in another way. Never moves a position back. */
export async function advancePosition(
  db: Db,
  { tenantId, follower, sequence }: Key & { sequence: number },
): Promise<void> {
  await db
    .insertInto('follower_positions')
    .values({ tenant_id: tenantId, follower, sequence, version: '' })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'follower'])
        .doUpdateSet({ sequence: larger<number>(sql.ref('sequence'), sql.ref('excluded.sequence')) }),
    )
    .execute()
}

/** Replaces a position that is stored as `from`. Returns false if another one is stored by now. */
export async function replacePosition(
  db: Db,
  from: FollowerPosition,
  to: Pick<FollowerPosition, 'sequence' | 'version'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('follower_positions')
    .set({ sequence: to.sequence, version: to.version })
    .where('tenant_id', '=', from.tenant_id)
    .where('follower', '=', from.follower)
    .where('sequence', '=', from.sequence)
    .where('version', '=', from.version)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores the version of the rules by which the whole tenant was derived. */
export async function savePositionVersion(
  db: Db,
  { tenantId, follower, version }: Key & { version: string },
): Promise<void> {
  await db
    .updateTable('follower_positions')
    .set({ version })
    .where('tenant_id', '=', tenantId)
    .where('follower', '=', follower)
    .execute()
}

/** Makes the follower begin again with this tenant, by its function `begin`. */
export async function deletePosition(db: Db, { tenantId, follower }: Key): Promise<void> {
  await db.deleteFrom('follower_positions').where('tenant_id', '=', tenantId).where('follower', '=', follower).execute()
}
