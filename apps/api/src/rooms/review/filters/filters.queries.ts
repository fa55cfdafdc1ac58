import { sql } from 'kysely'
import { notFound } from '../../../lib/app-error.ts'
import type { Db } from '../../../store/database.ts'
import { erasableFields } from '../../businesses/businesses.ts'
import type { FilterDefaultsTable, SavedFilterTable } from './filters.table.ts'

type Reader = { tenantId: string; userId: string }

export type FilterRow = SavedFilterTable & { owner_name: string | null; owner_status: string | null }

/** Selects the filters that a person can see: their own filters and shared ones. */
function visibleFilters(db: Db, { tenantId, userId }: Reader) {
  return db
    .selectFrom('saved_filters as f')
    .leftJoin('users as u', 'u.id', 'f.owner_id')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.tenant_id', '=', 'f.tenant_id').onRef('m.user_id', '=', 'f.owner_id'),
    )
    .selectAll('f')
    .select(['u.name as owner_name', 'm.status as owner_status'])
    .where('f.tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('f.owner_id', '=', userId), eb('f.sharing', '=', 'tenant')]))
}

/** Returns one filter that the person can see. Errors: `not_found`, also for the private filter of another person. */
export function getVisibleFilter(db: Db, reader: Reader, id: string): Promise<FilterRow> {
  return visibleFilters(db, reader).where('f.id', '=', id).executeTakeFirstOrThrow(notFound)
}

/** Selects the filters of a desk, or of both desks, that the person can see. */
export function filtersOfDesk(db: Db, reader: Reader, desk: string | undefined) {
  return visibleFilters(db, reader).$if(desk !== undefined, (query) =>
    query.where('f.desk', '=', desk === 'review' ? 'review' : 'prospects'),
  )
}

/** Returns a page of filters, sorted by name and id. */
export function selectFilters(
  db: Db,
  reader: Reader,
  wanted: { desk: string | undefined; after: readonly [string, string] | undefined; limit: number },
): Promise<FilterRow[]> {
  const { desk, after, limit } = wanted
  return filtersOfDesk(db, reader, desk)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(f.name_key, f.id) > (${after?.[0] ?? ''}, ${after?.[1] ?? ''})`),
    )
    .orderBy('f.name_key')
    .orderBy('f.id')
    .limit(limit)
    .execute()
}

/** Returns the filters that a person owns in a tenant. */
export function filtersOfPerson(db: Db, { tenantId, userId }: { tenantId: string; userId: string }) {
  return db.selectFrom('saved_filters').select('id').where('tenant_id', '=', tenantId).where('owner_id', '=', userId)
}

/** Returns the filters that all members of a tenant can use. */
export function sharedFilters(db: Db, { tenantId }: { tenantId: string }) {
  return db
    .selectFrom('saved_filters')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('sharing', '=', sql.lit('tenant' as const))
}

export async function isNameTaken(
  db: Db,
  wanted: { tenantId: string; ownerId: string; nameKey: string; except: string | null },
): Promise<boolean> {
  const row = await db
    .selectFrom('saved_filters')
    .select('id')
    .where('tenant_id', '=', wanted.tenantId)
    .where('owner_id', '=', wanted.ownerId)
    .where('name_key', '=', wanted.nameKey)
    .executeTakeFirst()
  return row !== undefined && row.id !== wanted.except
}

export async function insertFilter(db: Db, row: SavedFilterTable): Promise<void> {
  await db.insertInto('saved_filters').values(row).execute()
}

export async function updateFilter(
  db: Db,
  { tenant_id, id }: Pick<SavedFilterTable, 'tenant_id' | 'id'>,
  columns: Partial<SavedFilterTable>,
): Promise<void> {
  await db.updateTable('saved_filters').set(columns).where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
}

/** Deletes a filter. If it was a default, the next default applies: that of the workspace, or none. */
export async function deleteFilter(db: Db, tenantId: string, id: string): Promise<void> {
  await clearDefaults(db, { tenantId, id })
  await db.deleteFrom('saved_filters').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** Removes a filter as the default of the workspace and of all people except `exceptUserId`. */
export async function clearDefaults(
  db: Db,
  { tenantId, id, exceptUserId }: { tenantId: string; id: string; exceptUserId?: string },
): Promise<void> {
  for (const desk of ['prospects', 'review'] as const) {
    const update = db
      .updateTable('saved_filter_defaults')
      .set((eb) => ({ [desk]: null, version: eb('version', '+', 1) }))
      .where('tenant_id', '=', tenantId)
      .where(desk, '=', id)
    await (exceptUserId === undefined ? update : update.where('user_id', '!=', exceptUserId)).execute()
  }
}

/** Returns every filter of the tenant whose conditions contain typed values, for an erasure. */
export function selectFiltersWithValues(
  db: Db,
  tenantId: string,
): Promise<Pick<SavedFilterTable, 'tenant_id' | 'id' | 'conditions' | 'version'>[]> {
  return db
    .selectFrom('saved_filters')
    .select(['tenant_id', 'id', 'conditions', 'version'])
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or(erasableFields.map((name) => eb('conditions', 'like', `%"${name}"%`))))
    .execute()
}

export function findDefaults(db: Db, tenantId: string, userId: string): Promise<FilterDefaultsTable | undefined> {
  return db
    .selectFrom('saved_filter_defaults')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function saveDefaults(db: Db, row: FilterDefaultsTable): Promise<void> {
  const { tenant_id: _tenant, user_id: _user, ...columns } = row
  await db
    .insertInto('saved_filter_defaults')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet(columns))
    .execute()
}
