import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { elementsOf, isOther, thenJoin, unindexed } from '../../../store/engine/dialect.ts'
import { prepared, preparedRow } from '../../../store/engine/prepared.ts'
import type {
  Desk,
  SourceDecisionTable,
  SourceDeskSetTable,
  SourceTable,
  SourceVersionTable,
} from '../sources.table.ts'

/** A source with its newest contract version. */
export type SourceRow = SourceTable &
  Pick<SourceVersionTable, 'contract' | 'author'> & { version_at: string; author_name: string | null }

export const findSource = preparedRow<{ tenantId: string; id: string }>()((db, param) =>
  sourcesWithVersion(db).where('s.tenant_id', '=', param('tenantId')).where('s.id', '=', param('id')),
)

function sourcesWithVersion(db: Db) {
  return db
    .selectFrom('sources as s')
    .innerJoin('source_versions as v', (join) =>
      join
        .onRef('v.tenant_id', '=', 's.tenant_id')
        .onRef('v.source_id', '=', 's.id')
        .onRef('v.number', '=', 's.contract_version'),
    )
    .leftJoin('users as u', 'u.id', 'v.author')
    .selectAll('s')
    .select(['v.contract', 'v.author', 'v.created_at as version_at', 'u.name as author_name'])
}

/** Selects sources in the order of their names. */
export function selectSources(
  db: Db,
  wanted: { tenantId: string; after: readonly [string, string] | undefined; limit: number },
): Promise<SourceRow[]> {
  const { tenantId, after, limit } = wanted
  const [name = '', id = ''] = after ?? []
  return sourcesWithVersion(db)
    .where('s.tenant_id', '=', tenantId)
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(s.slug, s.id) > (${name}, ${id})`))
    .orderBy('s.slug')
    .orderBy('s.id')
    .limit(limit)
    .execute()
}

export async function countSources(db: Db, tenantId: string): Promise<number> {
  const { count } = await db
    .selectFrom('sources')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return count
}

export async function isSlugTaken(db: Db, tenantId: string, slug: string): Promise<boolean> {
  const found = await db
    .selectFrom('sources')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return found !== undefined
}

export async function insertSource(db: Db, row: SourceTable): Promise<void> {
  await db.insertInto('sources').values(row).execute()
}

export async function updateSource(
  db: Db,
  { tenant_id: tenantId, id, version }: Pick<SourceTable, 'tenant_id' | 'id' | 'version'>,
  changed: Partial<Pick<SourceTable, 'name' | 'description' | 'contract_version'>> & { updated_at: string },
): Promise<void> {
  await db
    .updateTable('sources')
    .set({ ...changed, version: version + 1 })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function insertVersion(db: Db, row: SourceVersionTable): Promise<void> {
  await db.insertInto('source_versions').values(row).execute()
}

export function findVersion(
  db: Db,
  tenantId: string,
  sourceId: string,
  number: number,
): Promise<SourceVersionTable | undefined> {
  return db
    .selectFrom('source_versions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('source_id', '=', sourceId)
    .where('number', '=', number)
    .executeTakeFirst()
}

export type DecisionRow = SourceDecisionTable

const ofVersion = prepared<{ tenantId: string; sourceId: string; number: number }>()((db, param) =>
  db
    .selectFrom('source_decisions')
    .selectAll()
    .where('tenant_id', '=', param('tenantId'))
    .where('source_id', '=', param('sourceId'))
    .where('number', '=', param('number'))
    .orderBy('id'),
)

export function selectDecisions(
  db: Db,
  { tenant_id: tenantId, id: sourceId, contract_version: number }: SourceTable,
): Promise<DecisionRow[]> {
  return ofVersion(db, { tenantId, sourceId, number })
}

/** Returns the decisions about the newest version of each of these sources, by source. */
export async function selectDecisionsOfMany(
  db: Db,
  tenantId: string,
  sources: readonly SourceTable[],
): Promise<Map<string, DecisionRow[]>> {
  const ids = sources.map(({ id }) => id)
  const { rows } = await sql<DecisionRow>`
    SELECT d.* FROM ${elementsOf(ids, 'w')}
    ${thenJoin} sources AS s ON s.tenant_id = ${tenantId} AND s.id = w.value
    ${thenJoin} source_decisions AS d ON d.tenant_id = s.tenant_id AND d.source_id = s.id AND d.number = s.contract_version
    ORDER BY d.source_id, d.id`.execute(db)
  return Map.groupBy(rows, ({ source_id: id }) => id)
}

export async function insertDecision(db: Db, row: SourceDecisionTable): Promise<void> {
  await db.insertInto('source_decisions').values(row).execute()
}

const newestEvent = prepared<{ tenantId: string }>()((db, param) =>
  db
    .selectFrom('audit_events')
    .select('at')
    .where('tenant_id', '=', param('tenantId'))
    .orderBy('sequence', 'desc')
    .limit(1),
)

/** Returns the time of the tenant's newest audit event. */
export async function newestEventTime(db: Db, tenantId: string): Promise<string | undefined> {
  const [row] = await newestEvent(db, { tenantId })
  return row?.at
}

/*
 * The next two queries hide `sequence` from the indexes. Otherwise SQLite would scan backwards from the newest event; this way it looks up the few
 * events of the action or the person.
 */

const newestRestore = prepared<{ tenantId: string }>()(
  (_db, param) => sql<{ sequence: number }>`
    SELECT coalesce(max(${unindexed(sql`sequence`)}), 0) AS sequence FROM audit_events
    WHERE tenant_id = ${param('tenantId')} AND action = 'store.restore'`,
)

/** Returns the sequence of the newest restore in the tenant's chain; 0 without one. */
export async function restoredAt(db: Db, tenantId: string): Promise<number> {
  const [row] = await newestRestore(db, { tenantId })
  return row?.sequence ?? 0
}

const memberships = prepared<{ tenantId: string; userIds: readonly string[] }>()(
  (_db, param) => sql<{ id: string; is_member: number; left: number }>`
    SELECT wanted.value AS id,
      EXISTS (SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.tenant_id = ${param('tenantId')} AND m.user_id = wanted.value
          AND m.status = 'active' AND u.status = 'active') AS is_member,
      (SELECT coalesce(max(${unindexed(sql`e.sequence`)}), 0) FROM audit_events e
        WHERE e.tenant_id = ${param('tenantId')} AND e.subject_id = wanted.value
          AND ${isOther(sql`e.subject_id`, sql`e.business_id`)} AND (e.action = 'user.remove' OR e.action = 'user.disable')) AS left
    FROM ${elementsOf(param('userIds'), 'wanted')}`,
)

/** Whether a person is an active member. `left`: sequence of the newest audit event by which they left; 0 without one. */
export type Membership = { isMember: boolean; left: number }

export async function membershipsOf(
  db: Db,
  tenantId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Membership>> {
  if (userIds.length === 0) return new Map()
  const rows = await memberships(db, { tenantId, userIds })
  return new Map(rows.map(({ id, is_member: isMember, left }) => [id, { isMember: isMember === 1, left }]))
}

export async function selectDesks(db: Db, tenantId: string) {
  return db
    .selectFrom('source_desks as d')
    .innerJoin('users as u', 'u.id', 'd.user_id')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.tenant_id', '=', 'd.tenant_id').onRef('m.user_id', '=', 'd.user_id'),
    )
    .select(['d.desk', 'd.user_id as id', 'u.name', 'm.status', 'u.status as account_status'])
    .where('d.tenant_id', '=', tenantId)
    .orderBy('u.name')
    .orderBy('d.user_id')
    .execute()
}

export async function isAtDesk(db: Db, tenantId: string, desk: Desk, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('source_desks')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('desk', '=', desk)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}

export async function desksOf(db: Db, tenantId: string, userId: string): Promise<Desk[]> {
  const rows = await db
    .selectFrom('source_desks')
    .select('desk')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
  return rows.map(({ desk }) => desk)
}

export function findDeskSet(db: Db, tenantId: string): Promise<SourceDeskSetTable | undefined> {
  return db.selectFrom('source_desk_sets').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst()
}

export async function replaceDesks(
  db: Db,
  set: SourceDeskSetTable,
  members: readonly { desk: Desk; userId: string }[],
): Promise<void> {
  const { tenant_id: tenantId, ...changed } = set
  await db
    .insertInto('source_desk_sets')
    .values(set)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(changed))
    .execute()
  await db.deleteFrom('source_desks').where('tenant_id', '=', tenantId).execute()
  if (members.length === 0) return
  await db
    .insertInto('source_desks')
    .values(members.map(({ desk, userId }) => ({ tenant_id: tenantId, desk, user_id: userId })))
    .execute()
}
