import { sql } from 'kysely'
import { notFound } from '../../lib/app-error.ts'
import type { Db } from '../../store/database.ts'
import { inList, rowsOf, thenJoin } from '../../store/engine/dialect.ts'
import type { PersonIdentifierTable, PersonStateTable, PersonTable } from './people.table.ts'

export type PersonRow = PersonTable &
  Omit<PersonStateTable, 'tenant_id' | 'business_id' | 'person_id'> & {
    creator_name: string | null
    blocker_name: string | null
  }

/** The columns of a person that change. */
export type StateColumns = Omit<PersonStateTable, 'tenant_id' | 'business_id' | 'person_id'>

/** The key of a person, whose tables begin with the business. */
export type PersonKey = { tenantId: string; businessId: string; id: string }

export async function insertPerson(
  db: Db,
  row: PersonTable,
  state: Pick<StateColumns, 'name' | 'role' | 'language' | 'note'>,
): Promise<void> {
  const { tenant_id, business_id, id: person_id, created_at: updated_at } = row
  await db.insertInto('people').values(row).execute()
  await db
    .insertInto('person_states')
    .values({
      tenant_id,
      business_id,
      person_id,
      version: 1,
      ...state,
      left_on: null,
      blocked_at: null,
      blocked_by: null,
      blocked_reason: null,
      updated_at,
      joined_into: null,
      erased_at: null,
    })
    .execute()
}

export async function updatePerson(
  db: Db,
  { tenantId, businessId, id }: PersonKey,
  set: Partial<StateColumns>,
): Promise<void> {
  await db
    .updateTable('person_states')
    .set(set)
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('person_id', '=', id)
    .execute()
}

/** Marks a person do not contact, with the values of the person. */
export async function blockRows(
  db: Db,
  key: PersonKey,
  block: { blocked_at: string; blocked_by: string; blocked_reason: string; version: number; updated_at: string },
): Promise<void> {
  await updatePerson(db, key, block)
  await db
    .updateTable('person_identifiers')
    .set({ blocked_at: block.blocked_at })
    .where('tenant_id', '=', key.tenantId)
    .where('business_id', '=', key.businessId)
    .where('person_id', '=', key.id)
    .execute()
}

/** Replaces the contact values of a person. */
export async function replaceValues(
  db: Db,
  { tenantId, businessId, id }: PersonKey,
  rows: readonly PersonIdentifierTable[],
): Promise<void> {
  await db
    .deleteFrom('person_identifiers')
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('person_id', '=', id)
    .execute()
  if (rows.length > 0)
    await db
      .insertInto('person_identifiers')
      .values([...rows])
      .execute()
}

function peopleWithState(db: Db) {
  return db
    .selectFrom('people as p')
    .innerJoin('person_states as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 'p.tenant_id')
        .onRef('s.business_id', '=', 'p.business_id')
        .onRef('s.person_id', '=', 'p.id'),
    )
    .leftJoin('users as creator', 'creator.id', 'p.created_by')
    .leftJoin('users as blocker', 'blocker.id', 's.blocked_by')
    .selectAll('p')
    .select(['s.version', 's.name', 's.role', 's.language', 's.note', 's.left_on', 's.updated_at', 's.joined_into'])
    .select('s.erased_at')
    .select(['s.blocked_at', 's.blocked_by', 's.blocked_reason'])
    .select(['creator.name as creator_name', 'blocker.name as blocker_name'])
}

export async function findPersonRow(db: Db, tenantId: string, id: string): Promise<PersonRow | undefined> {
  return peopleWithState(db).where('p.tenant_id', '=', tenantId).where('p.id', '=', id).executeTakeFirst()
}

/** Errors: `not_found`. */
export async function getPersonRow(db: Db, tenantId: string, id: string): Promise<PersonRow> {
  const row = await findPersonRow(db, tenantId, id)
  if (row === undefined) throw notFound()
  return row
}

/** Returns the people who were joined into this one directly, at any prospect. */
export async function selectJoinedInto(db: Db, tenantId: string, id: string): Promise<PersonRow[]> {
  return peopleWithState(db).where('s.tenant_id', '=', tenantId).where('s.joined_into', '=', id).execute()
}

/** Returns a page of the people of exactly this business, newest first. */
export async function selectPeople(
  db: Db,
  wanted: { tenantId: string; businessId: string; before: string | undefined; limit: number },
): Promise<PersonRow[]> {
  const { tenantId, businessId, before, limit } = wanted
  return peopleWithState(db)
    .where('p.tenant_id', '=', tenantId)
    .where('p.business_id', '=', businessId)
    .$if(before !== undefined, (query) => query.where('p.id', '<', before ?? ''))
    .orderBy('p.id', 'desc')
    .limit(limit)
    .execute()
}

/** The parts of a person by which people are compared. `joinedInto`: the person that this one was found to be, at this prospect or elsewhere. */
export type NamedPerson = { id: string; name: string; role: string | null }
export type ListedPerson = NamedPerson & {
  businessId: string
  joinedInto: string | null
  isPresent: boolean
  isBlocked: boolean
  isErased: boolean
}

/** Maximum numbers of people and values of a prospect, with the records merged into it, that are compared with each other. */
export const COMPARED_PEOPLE = 1_000
export const COMPARED_VALUES = 10_000

/** Returns the people of these records, oldest first, at most `limit`. `isPresent`: the person has not left and is not marked by hand. */
export async function selectNamed(
  db: Db,
  { tenantId, family, limit }: { tenantId: string; family: readonly string[]; limit: number },
): Promise<ListedPerson[]> {
  const rows = await db
    .selectFrom('person_states')
    .select(['person_id as id', 'business_id as businessId', 'name', 'role', 'joined_into as joinedInto'])
    .select(['left_on', 'blocked_at', 'erased_at'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', inList(family))
    .orderBy('business_id')
    .orderBy('person_id')
    .limit(limit)
    .execute()
  return rows.map(({ left_on, blocked_at, erased_at, ...row }) => ({
    ...row,
    isPresent: left_on === null && blocked_at === null && erased_at === null,
    isBlocked: blocked_at !== null,
    isErased: erased_at !== null,
  }))
}

/**
 * Returns the first people of each of these records who have not left, are not marked by hand or erased, and are not joined into another person of the
 * same prospect, oldest first, at most `limit` of a record. `root`: the prospect of a record. `ofRecord`: the number of such people of the record.
 */
export async function selectFirstOfRecords(
  db: Db,
  tenantId: string,
  records: readonly { record: string; root: string }[],
  limit: number,
): Promise<{ id: string; businessId: string; name: string; role: string | null; ofRecord: number }[]> {
  const members = (alias: string) => rowsOf(records, alias, { record: 'text', root: 'text' })
  // A join has an effect while both people belong to one prospect.
  const listed = (
    alias: string,
  ) => sql`${sql.ref(`${alias}.left_on`)} IS NULL AND ${sql.ref(`${alias}.blocked_at`)} IS NULL
    AND ${sql.ref(`${alias}.erased_at`)} IS NULL AND NOT EXISTS (
      SELECT 1 FROM people k ${thenJoin} ${members('other')} ON other.record = k.business_id
      WHERE k.tenant_id = ${tenantId} AND k.id = ${sql.ref(`${alias}.joined_into`)} AND other.root = one.root)`
  const { rows } = await sql<{ id: string; businessId: string; name: string; role: string | null; ofRecord: number }>`
    SELECT s.person_id AS id, s.business_id AS "businessId", s.name, s.role, (
      SELECT count(*) FROM person_states c
      WHERE c.tenant_id = ${tenantId} AND c.business_id = one.record AND ${listed('c')}) AS "ofRecord"
    FROM ${members('one')} ${thenJoin} person_states s ON s.tenant_id = ${tenantId} AND s.business_id = one.record
    WHERE s.person_id IN (
      SELECT p.person_id FROM person_states p
      WHERE p.tenant_id = ${tenantId} AND p.business_id = one.record AND ${listed('p')}
      ORDER BY p.person_id LIMIT ${limit})`.execute(db)
  return rows
}

/** Returns the contact values of the people of these records, in the order of their positions. */
export async function selectValues(
  db: Db,
  { tenantId, family, limit }: { tenantId: string; family: readonly string[]; limit: number },
): Promise<PersonIdentifierTable[]> {
  return db
    .selectFrom('person_identifiers')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', inList(family))
    .orderBy('business_id')
    .orderBy('person_id')
    .orderBy('kind')
    .orderBy('position')
    .limit(limit)
    .execute()
}

/** Returns the values of the people of these records who were marked do not contact by hand. */
export async function selectValuesOfBlocked(
  db: Db,
  tenantId: string,
  family: readonly string[],
): Promise<Pick<PersonIdentifierTable, 'kind' | 'original' | 'region' | 'blocked_at'>[]> {
  return db
    .selectFrom('person_identifiers')
    .select(['kind', 'original', 'region', 'blocked_at'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', inList(family))
    .where('blocked_at', 'is not', null)
    .execute()
}
