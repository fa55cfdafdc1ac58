import { requireVersion } from '../../../http/conditional.ts'
import { type Cursors, type Page, toPage, totalOf } from '../../../http/pagination.ts'
import { requirePermission, type UserActor } from '../../../lib/actor.ts'
import { AppError, invalidField, namedIn } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { numeral } from '../../../lib/numeral.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import type { Db } from '../../../store/database.ts'
import { readTexts } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import {
  type Condition,
  createRemovedValuesFinder,
  FILTER_SCHEMA_VERSION,
  MAX_FILTER_BYTES,
  readStoredConditions,
  type Sort,
  sorts,
} from '../../prospect-list/prospect-list.ts'
import { canonicalOf } from '../queue/predicate.ts'
import {
  clearDefaults,
  deleteFilter,
  type FilterRow,
  filtersOfDesk,
  findDefaults,
  getVisibleFilter,
  insertFilter,
  isNameTaken,
  saveDefaults,
  selectFilters,
  updateFilter,
} from './filters.queries.ts'
import { ownFilterQuota, sharedFilterQuota } from './filters.quota.ts'
import type {
  CreateFilter,
  EditFilter,
  FilterDefaults,
  ListFilters,
  SavedFilter,
  SetDefaults,
} from './filters.schema.ts'
import type { SavedFilterTable } from './filters.table.ts'

/*
 * Saved filters (specification, Phase 11 §1) are configuration of a tenant. A filter grants no permission: each query applies the tenant, permissions
 * and suppression of the person who runs it. The audit contains no names and values of filters, because they can name a person.
 */

const nameKeyOf = (name: string) => name.normalize('NFC').toLowerCase()

/**
 * Stores a filter of a person. Errors: `permission_denied` (sharing), `too_many_filters`, `conflict` (the name exists), `invalid_request` (the size).
 */
export async function createFilter(tx: Tx, actor: UserActor, input: CreateFilter): Promise<{ id: string }> {
  const { tenantId, userId } = actor
  if (input.sharing === 'tenant') requirePermission(actor, 'saved_filters.share')
  await requireRoom(tx, ownFilterQuota)
  if (input.sharing === 'tenant') await requireRoom(tx, sharedFilterQuota)
  const nameKey = nameKeyOf(input.name)
  await requireFreeName(tx, { ownerId: userId, nameKey, except: null })
  const id = newId()
  await insertFilter(tx.db, {
    tenant_id: tenantId,
    id,
    version: 1,
    desk: input.desk,
    name: input.name,
    name_key: nameKey,
    conditions: storedForm(input.filter),
    sort: input.sort,
    view: input.view,
    columns: input.columns === null ? null : JSON.stringify(input.columns),
    schema_version: FILTER_SCHEMA_VERSION,
    owner_id: userId,
    sharing: input.sharing,
    is_locked: 0,
    created_at: tx.at,
    updated_at: tx.at,
  })
  const fields = input.filter.map(({ field, op }) => `${field} ${op}`)
  await tx.record({
    subject: { type: 'saved_filter', id },
    after: { desk: input.desk, sharing: input.sharing, fields },
  })
  return { id }
}

/**
 * Updates the given fields of a filter. Only its owner may edit it. A locked filter may be edited only by people who manage filters; they can also
 * take over the shared filter of a person who left. Errors: `not_found`, `version_conflict`, `permission_denied`, `filter_locked`,
 * `too_many_filters`, `conflict`, `invalid_request`.
 */
export async function editFilter(
  tx: Tx,
  actor: UserActor,
  id: string,
  version: number,
  { takeOver, ...input }: EditFilter,
): Promise<{ id: string; version: number } | Unchanged<{ id: string; version: number }>> {
  const row = await getVisibleFilter(tx.db, actor, id)
  requireVersion(version, row.version)
  if (takeOver === true) requireToTakeOver(actor, row)
  else requireToChange(actor, row)
  const ownerId = takeOver === true ? actor.userId : row.owner_id
  if (input.sharing === 'tenant' && row.sharing === 'private') {
    requirePermission(actor, 'saved_filters.share')
    await requireRoom(tx, sharedFilterQuota)
  }
  if (takeOver === true) await requireRoom(tx, ownFilterQuota)
  const nameKey = input.name === undefined ? row.name_key : nameKeyOf(input.name)
  if (nameKey !== row.name_key || ownerId !== row.owner_id) await requireFreeName(tx, { ownerId, nameKey, except: id })
  const columns: Partial<SavedFilterTable> = {
    ...(input.name === undefined ? {} : { name: input.name, name_key: nameKey }),
    ...(input.filter === undefined
      ? {}
      : { conditions: storedForm(input.filter), schema_version: FILTER_SCHEMA_VERSION }),
    ...(input.sort === undefined ? {} : { sort: input.sort }),
    ...(input.view === undefined ? {} : { view: input.view }),
    ...(input.columns === undefined ? {} : { columns: input.columns && JSON.stringify(input.columns) }),
    ...(input.sharing === undefined ? {} : { sharing: input.sharing }),
    ...(input.sharing === 'private' ? { is_locked: 0 } : {}),
    ...(takeOver === true ? { owner_id: ownerId } : {}),
  }
  const changed = Object.entries(columns).filter(([name, value]) => row[name as keyof SavedFilterTable] !== value)
  if (changed.length === 0) return unchanged({ id, version })
  await updateFilter(tx.db, row, { ...columns, version: version + 1, updated_at: tx.at })
  if (columns.sharing === 'private' && row.sharing === 'tenant')
    await clearDefaults(tx.db, { tenantId: actor.tenantId, id, exceptUserId: ownerId })
  await tx.record({
    subject: { type: 'saved_filter', id },
    before: { sharing: row.sharing, ownerId: row.owner_id },
    after: { sharing: input.sharing ?? row.sharing, ownerId, changed: changed.map(([name]) => name) },
  })
  return { id, version: version + 1 }
}

/** Deletes a filter. Errors: `not_found`, `permission_denied`, `filter_locked`. */
export async function removeFilter(tx: Tx, actor: UserActor, id: string): Promise<{ id: string }> {
  const row = await getVisibleFilter(tx.db, actor, id)
  const isAbandoned = hasLeft(row) && actor.permissions.has('saved_filters.manage')
  if (!isAbandoned) requireToChange(actor, row)
  await deleteFilter(tx.db, actor.tenantId, id)
  await tx.record({ subject: { type: 'saved_filter', id }, before: { desk: row.desk, sharing: row.sharing } })
  return { id }
}

/** Locks or unlocks a shared filter. Errors: `not_found`, `conflict` (a private filter needs no lock). */
export async function lockFilter(
  tx: Tx,
  actor: UserActor,
  id: string,
  isLocked: boolean,
): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const row = await getVisibleFilter(tx.db, actor, id)
  if (row.sharing === 'private') throw new AppError('conflict', 'Share this filter before you lock it.')
  if ((row.is_locked === 1) === isLocked) return unchanged({ id })
  await updateFilter(tx.db, row, { is_locked: isLocked ? 1 : 0, version: row.version + 1, updated_at: tx.at })
  await tx.record({ subject: { type: 'saved_filter', id }, before: { isLocked: !isLocked }, after: { isLocked } })
  return { id }
}

const hasLeft = ({ owner_status }: FilterRow) => owner_status !== 'active'

function mayChange(actor: UserActor, row: FilterRow): boolean {
  if (row.is_locked === 1) return actor.permissions.has('saved_filters.manage')
  return row.owner_id === actor.userId
}

function requireToChange(actor: UserActor, row: FilterRow): void {
  if (mayChange(actor, row)) return
  if (row.is_locked === 1) throw new AppError('filter_locked', 'A manager locked this filter. Save your own copy.')
  throw new AppError('permission_denied', 'Only its owner can change this filter. Save your own copy.')
}

function requireToTakeOver(actor: UserActor, row: FilterRow): void {
  requirePermission(actor, 'saved_filters.manage')
  if (!hasLeft(row)) throw new AppError('conflict', 'The owner of this filter is still a member of the workspace.')
}

async function requireFreeName(
  tx: Tx,
  wanted: { ownerId: string; nameKey: string; except: string | null },
): Promise<void> {
  if (!(await isNameTaken(tx.db, { tenantId: tx.actor.tenantId, ...wanted }))) return
  const message = 'You already have a filter with this name.'
  throw new AppError('conflict', message, { errors: [{ path: 'name', code: 'name_taken', message }] })
}

/** Returns conditions in their stored form. Errors: `invalid_request` for a filter that is too large. */
function storedForm(filter: readonly Condition[]): string {
  const text = JSON.stringify(canonicalOf(filter))
  if (Buffer.byteLength(text) <= MAX_FILTER_BYTES) return text
  throw invalidField('filter', 'too_large', `A filter has at most ${numeral(MAX_FILTER_BYTES)} bytes.`)
}

/** Returns a page of the filters that the person can see, sorted by name and id. */
export async function listFilters(
  store: Store,
  cursors: Cursors,
  actor: UserActor,
  { desk, limit, cursor }: ListFilters,
): Promise<Page<SavedFilter>> {
  const binding = ['saved-filters', actor.tenantId, actor.userId, desk ?? null]
  const [name, id] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const after = name === undefined ? undefined : ([String(name), String(id)] as const)
  const rows = await selectFilters(store.reader, actor, { desk, after, limit: limit + 1 })
  const shown = new Map<string, SavedFilter>()
  const findRemoved = await createRemovedValuesFinder(store, actor)
  for (const row of rows.slice(0, limit)) shown.set(row.id, await toFilter(actor, row, findRemoved))
  return toPage({
    rows,
    limit,
    total: await totalOf(store, { tenantId: actor.tenantId, rows, limit, cursor }, (db) =>
      filtersOfDesk(db, actor, desk),
    ),
    toItem: (row) => shown.get(row.id) as SavedFilter,
    cursorAfter: (row) => cursors.encode(binding, [row.name_key, row.id]),
  })
}

/** Returns one filter. Errors: `not_found`. */
export async function getFilter(store: Store, actor: UserActor, id: string): Promise<SavedFilter> {
  const row = await getVisibleFilter(store.reader, actor, id)
  return toFilter(actor, row, await createRemovedValuesFinder(store, actor))
}

async function toFilter(
  actor: UserActor,
  row: FilterRow,
  findRemoved: Awaited<ReturnType<typeof createRemovedValuesFinder>>,
): Promise<SavedFilter> {
  const { conditions, problems } = readStoredConditions(row.conditions, row.schema_version)
  const removed = await findRemoved(conditions)
  return {
    id: row.id,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    desk: row.desk,
    name: row.name,
    filter: conditions,
    sort: sortOf(row),
    view: row.view === 'table' || row.view === 'board' ? row.view : null,
    columns: row.columns === null ? null : readTexts(row.columns),
    schemaVersion: row.schema_version,
    owner: { id: row.owner_id, name: row.owner_name ?? '' },
    ownerLeft: hasLeft(row),
    sharing: row.sharing,
    isLocked: row.is_locked === 1,
    mayChange: mayChange(actor, row),
    problems,
    removed,
  }
}

function sortOf({ sort }: Pick<FilterRow, 'sort'>): Sort | null {
  return sorts.find((one) => one === sort) ?? null
}

export type AppliedFilter = { conditions: Condition[]; sort: Sort | null; desk: SavedFilterTable['desk']; name: string }

/**
 * Returns the conditions of a filter, to be applied. A filter with an unreadable condition is rejected, because it would match more than its owner
 * meant. Errors: `not_found`, `filter_unreadable`.
 */
export async function applyFilter(db: Db, actor: UserActor, id: string): Promise<AppliedFilter> {
  const row = await getVisibleFilter(db, actor, id)
  const { conditions, problems } = readStoredConditions(row.conditions, row.schema_version)
  if (problems.length > 0)
    throw new AppError('filter_unreadable', 'A part of this filter cannot be read. Open the filter and repair it.', {
      errors: problems.map(({ field, problem }) => ({ path: field, code: problem, message: `${field}: ${problem}` })),
    })
  return { conditions, sort: sortOf(row), desk: row.desk, name: row.name }
}

const TENANT = ''

export async function getDefaults(db: Db, { tenantId, userId }: UserActor): Promise<FilterDefaults> {
  const own = await findDefaults(db, tenantId, userId)
  const tenant = await findDefaults(db, tenantId, TENANT)
  return {
    version: own?.version ?? 0,
    own: { prospects: own?.prospects ?? null, review: own?.review ?? null },
    tenantVersion: tenant?.version ?? 0,
    tenant: { prospects: tenant?.prospects ?? null, review: tenant?.review ?? null },
  }
}

/**
 * Sets the default filters of a person or of the tenant. Errors: `version_conflict`, `permission_denied` (defaults of the tenant), `not_found` (a
 * filter), `conflict` (a private filter as a default for everybody).
 */
export async function setDefaults(
  tx: Tx,
  actor: UserActor,
  version: number,
  { scope, ...wanted }: SetDefaults,
): Promise<FilterDefaults | Unchanged<FilterDefaults>> {
  if (scope === 'tenant') requirePermission(actor, 'saved_filters.manage')
  const current = await getDefaults(tx.db, actor)
  const currentVersion = scope === 'own' ? current.version : current.tenantVersion
  requireVersion(version, currentVersion)
  for (const desk of ['prospects', 'review'] as const) await requireUsable(tx, actor, desk, wanted[desk], scope)
  const before = current[scope]
  if (before.prospects === wanted.prospects && before.review === wanted.review) return unchanged(current)
  const userId = scope === 'own' ? actor.userId : TENANT
  await saveDefaults(tx.db, { tenant_id: actor.tenantId, user_id: userId, version: currentVersion + 1, ...wanted })
  await tx.record({
    subject: scope === 'own' ? { type: 'user', id: actor.userId } : { type: 'tenant', id: actor.tenantId },
    before: { scope, ...before },
    after: { scope, ...wanted },
  })
  return getDefaults(tx.db, actor)
}

async function requireUsable(
  tx: Tx,
  actor: UserActor,
  desk: 'prospects' | 'review',
  id: string | null,
  scope: SetDefaults['scope'],
): Promise<void> {
  if (id === null) return
  const row = await namedIn(desk, 'There is no such filter.', getVisibleFilter(tx.db, actor, id))
  if (row.desk !== desk) throw invalidField(desk, 'other_desk', 'This filter belongs to the other list.')
  if (scope === 'tenant' && row.sharing === 'private')
    throw new AppError('conflict', 'Share this filter before it becomes the default of the workspace.')
}
