import { isDeepStrictEqual } from 'node:util'
import { requireVersion } from '../../http/conditional.ts'
import { actorKey } from '../../lib/actor.ts'
import { AppError, invalidField, namesNothing } from '../../lib/app-error.ts'
import { dayAt } from '../../lib/calendar.ts'
import { newId } from '../../lib/ids.ts'
import { keysOf } from '../../lib/keys-of.ts'
import { requireRoomIn } from '../../lib/limit-reached.ts'
import { withoutUndefined } from '../../lib/map-values.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import { familyOf, getActiveBusiness, recordsAbove, refreshSearchText } from '../businesses/businesses.ts'
import { getTenant } from '../identity/identity.ts'
import {
  COMPARED_PEOPLE,
  COMPARED_VALUES,
  findPersonRow,
  getPersonRow,
  insertPerson,
  type ListedPerson,
  type NamedPerson,
  type PersonKey,
  type PersonRow,
  selectNamed,
  selectValues,
  updatePerson,
} from './people.queries.ts'
import { peopleLimit } from './people.quota.ts'
import { findSame, keptAmong } from './people.rules.ts'
import { type AddPerson, type EditPerson, peopleLimits } from './people.schema.ts'
import { asTyped, comparedOf, requireOwnValues, type TypedValue, typedValues, writeValues } from './person-values.ts'

/*
 * Adding and editing people. Names, roles, notes and values are stored in the person only, never in an audit event or a log: an event names the fields
 * that changed. An erasure therefore finds all content of a person in the tables of this room.
 */

/**
 * Adds a person to an active business. A value that a suppression entry matches marks the business. Returns the id alone, because the response of a
 * change is stored for replays. Errors: `not_found`, `business_not_active`, `limit_reached`, `person_known`, and `invalid_request` for a value of
 * another prospect.
 */
export async function addPerson(tx: Tx, businessId: string, input: AddPerson): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  await getActiveBusiness(tx, businessId)
  const family = await familyOf(tx.db, tenantId, businessId)
  const known = await selectNamed(tx.db, { tenantId, family, limit: COMPARED_PEOPLE })
  requireRoomIn(peopleLimit, { used: known.length })
  const { name, role = null, language = null, note = null } = input
  requireUnknown(known, { name, role })
  const values = typedValues(input)
  await requireOwnValues(tx, family, values)
  const id = newId()
  await insertPerson(
    tx.db,
    { tenant_id: tenantId, id, business_id: businessId, created_at: tx.at, created_by: actorKey(tx.actor) },
    { name, role, language, note },
  )
  await writeValues(tx, { tenantId, businessId, id }, { before: [], after: values, blockedAt: null })
  await refreshSearchText(tx, businessId)
  await tx.record({
    action: 'person.add',
    subject: { type: 'person', id },
    businessId,
    after: { fields: Object.keys(withoutUndefined(input)) },
  })
  return { id }
}

/** Errors: `person_known`, with the id of the known person, or of the one with whom that person was joined. */
export function requireUnknown(known: readonly ListedPerson[], person: Pick<NamedPerson, 'name' | 'role'>): void {
  const same = findSame(
    known.filter(({ isErased }) => !isErased),
    person,
  )
  if (same === undefined) return
  throw new AppError(
    'person_known',
    'This person is already recorded at this prospect. Edit the person, or enter a role that tells the two apart.',
    { errors: [{ path: 'name', code: 'same_person', message: keptAmong(known)(same.id) }] },
  )
}

/**
 * Requires that a person was not erased, and not joined into another one at this prospect, which is then the one to change. Errors: `conflict`, and
 * `person_joined` with the id of the other person.
 */
export function requireKept(known: readonly ListedPerson[], id: string): void {
  if (known.some((one) => one.id === id && one.isErased)) throw new AppError('conflict', 'This person was erased.')
  const kept = keptAmong(known)(id)
  if (kept === id) return
  throw new AppError(
    'person_joined',
    'This person was joined with another one. Change that person, or separate the two first.',
    { errors: [{ path: 'personId', code: 'joined', message: kept }] },
  )
}

/** The fields of a person from which the search data of the record is derived. */
const searched: readonly (keyof Facts)[] = ['name', 'left_on', 'values']

export type Facts = Pick<PersonRow, 'name' | 'role' | 'language' | 'note' | 'left_on'> & { values: TypedValue[] }

/**
 * Changes the sent fields of a person, based on the version that was read. If all sent values are the current ones, nothing is written. Errors:
 * `not_found`, `version_conflict`, `business_not_active`, `person_joined`, `person_known`, and `invalid_request` for a value of another prospect.
 */
export async function editPerson(
  tx: Tx,
  id: string,
  expectedVersion: number,
  edit: EditPerson,
): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const { tenantId } = tx.actor
  const { row, records, family, known } = await openPerson(tx, id, expectedVersion)
  requireKept(known, id)
  const own = (await selectValues(tx.db, { tenantId, family: [row.business_id], limit: COMPARED_VALUES })).filter(
    ({ person_id }) => person_id === id,
  )
  const before: Facts = { ...factsOf(row), values: own.map(asTyped) }
  const after = applyEdit(before, edit)
  const fields = changedFields(before, after)
  if (fields.length === 0) return unchanged({ id })
  if (fields.includes('name') || fields.includes('role')) {
    const keptOf = keptAmong(known)
    requireUnknown(
      known.filter((one) => keptOf(one.id) !== id),
      after,
    )
  }
  const key: PersonKey = { tenantId, businessId: row.business_id, id }
  if (fields.includes('values')) {
    const had = new Set(before.values.map(comparedOf))
    await requireOwnValues(
      tx,
      family,
      after.values.filter((one) => !had.has(comparedOf(one))),
    )
    await writeValues(tx, key, { before: before.values, after: after.values, blockedAt: row.blocked_at })
  }
  const { values: _values, ...columns } = after
  await updatePerson(tx.db, key, { ...columns, version: row.version + 1, updated_at: tx.at })
  if (fields.some((field) => searched.includes(field)))
    for (const record of records) await refreshSearchText(tx, record)
  await tx.record({ subject: { type: 'person', id }, businessId: row.business_id, after: { fields } })
  return { id }
}

export function factsOf({ name, role, language, note, left_on }: PersonRow): Omit<Facts, 'values'> {
  return { name, role, language, note, left_on }
}

/** Applies an edit: an absent field stays unchanged, and a list is replaced as a whole. */
export function applyEdit(before: Facts, { emails, phones, leftOn, ...facts }: EditPerson): Facts {
  const sent = typedValues(withoutUndefined({ emails, phones }))
  const values = (['email', 'phone'] as const).flatMap((kind) => {
    const isSent = (kind === 'email' ? emails : phones) !== undefined
    return (isSent ? sent : before.values).filter((one) => one.kind === kind)
  })
  return { ...before, ...withoutUndefined(facts), ...(leftOn === null ? { left_on: null } : {}), values }
}

export function changedFields(before: Facts, after: Facts): (keyof Facts)[] {
  const written = ({ values, ...facts }: Facts) => ({
    ...facts,
    values: values.map(({ kind, value, label, region }) => [kind, value, label, region]),
  })
  const [was, is] = [written(before), written(after)]
  return keysOf(was).filter((name) => !isDeepStrictEqual(was[name], is[name]))
}

/**
 * Adds a contact value to a person at this business or at a record merged into it. Without effect if the person has the value. Errors: `not_found`,
 * `person_joined`, `suppressed` (the person is marked do not contact), and `invalid_request` for a value of another prospect, or if the person has the
 * most values of this kind.
 */
export async function addValueToPerson(
  tx: Tx,
  { businessId, personId }: { businessId: string; personId: string },
  value: TypedValue,
): Promise<void> {
  const { tenantId } = tx.actor
  const row = await getPersonAt(tx, businessId, personId)
  const family = await familyOf(tx.db, tenantId, businessId)
  requireKept(await selectNamed(tx.db, { tenantId, family, limit: COMPARED_PEOPLE }), personId)
  if (row.blocked_at !== null)
    throw new AppError('suppressed', 'This person is marked do not contact, so nothing can be added.')
  const stored = await selectValues(tx.db, { tenantId, family: [row.business_id], limit: COMPARED_VALUES })
  const own = stored.filter(({ person_id }) => person_id === personId).map(asTyped)
  if (own.some((one) => comparedOf(one) === comparedOf(value))) return
  if (own.filter(({ kind }) => kind === value.kind).length >= peopleLimits.valuesOfKind)
    throw invalidField(
      value.path,
      'too_many',
      `This person has ${peopleLimits.valuesOfKind} values of this kind. Edit the person first.`,
    )
  await requireOwnValues(tx, family, [value])
  const key = { tenantId, businessId: row.business_id, id: personId }
  await writeValues(tx, key, { before: own, after: [...own, value], blockedAt: null })
  await updatePerson(tx.db, key, { version: row.version + 1, updated_at: tx.at })
  for (const record of await recordsAbove(tx.db, tenantId, row.business_id)) await refreshSearchText(tx, record)
  await tx.record({
    action: 'person.edit',
    subject: { type: 'person', id: personId },
    businessId: row.business_id,
    after: { fields: ['values'] },
  })
}

/**
 * Records the day on which a person left the business. The person stays recorded, and so does a do-not-contact mark. Errors: `not_found`,
 * `business_not_active`, `person_joined`, `invalid_request` for a day in the future.
 */
export async function recordDeparture(
  tx: Tx,
  id: string,
  on: string,
): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const { tenantId } = tx.actor
  const { row, records, known } = await openPerson(tx, id)
  requireKept(known, id)
  if (row.left_on === on) return unchanged({ id })
  const { timeZone } = await getTenant(tx.db, tenantId)
  if (on > dayAt(tx.at, timeZone).toString())
    throw invalidField('on', 'in_future', 'This date is in the future. Enter the day on which the person left.')
  const key = { tenantId, businessId: row.business_id, id }
  await updatePerson(tx.db, key, { left_on: on, version: row.version + 1, updated_at: tx.at })
  for (const record of records) await refreshSearchText(tx, record)
  await tx.record({
    subject: { type: 'person', id },
    businessId: row.business_id,
    before: { leftOn: row.left_on },
    after: { leftOn: on },
  })
  return { id }
}

/** A person whom a change is about, the records up to the active one, the whole prospect, and all people there. */
type OpenedPerson = { row: PersonRow; records: string[]; family: string[]; known: ListedPerson[] }

/** Reads a person for a change. Errors: `not_found`, `business_not_active`, and `version_conflict` if a version is given. */
export async function openPerson(tx: Tx, id: string, expectedVersion?: number): Promise<OpenedPerson> {
  const { tenantId } = tx.actor
  const row = await getPersonRow(tx.db, tenantId, id)
  if (expectedVersion !== undefined) requireVersion(expectedVersion, row.version)
  const records = await recordsUpToActive(tx, row.business_id)
  const family = await familyOf(tx.db, tenantId, records.at(-1) ?? row.business_id)
  return { row, records, family, known: await selectNamed(tx.db, { tenantId, family, limit: COMPARED_PEOPLE }) }
}

/** `recordsAbove` for an edit, which requires that the last record is active. Errors: `business_not_active`. */
export async function recordsUpToActive(tx: Tx, businessId: string): Promise<string[]> {
  const ids = await recordsAbove(tx.db, tx.actor.tenantId, businessId)
  await getActiveBusiness(tx, ids.at(-1) ?? businessId)
  return ids
}

/** Requires that a person is recorded at this business or at a record merged into it. Errors: `not_found`. */
export async function requirePersonAt(tx: Tx, businessId: string, personId: string): Promise<void> {
  await getPersonAt(tx, businessId, personId)
}

async function getPersonAt(tx: Tx, businessId: string, personId: string): Promise<PersonRow> {
  const { tenantId } = tx.actor
  const row = await findPersonRow(tx.db, tenantId, personId)
  const family = await familyOf(tx.db, tenantId, businessId)
  if (row === undefined || !family.includes(row.business_id))
    throw namesNothing('personId', 'This prospect has no such person.')
  return row
}
