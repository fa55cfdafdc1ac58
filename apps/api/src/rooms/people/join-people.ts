import { AppError, invalidField, namesNothing } from '../../lib/app-error.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import { refreshSearchText, wholeFamilyOf } from '../businesses/businesses.ts'
import { endLink, markJoined } from './block-person.ts'
import {
  COMPARED_PEOPLE,
  COMPARED_VALUES,
  findPersonRow,
  getPersonRow,
  type PersonRow,
  selectNamed,
  selectValues,
  updatePerson,
} from './people.queries.ts'
import { keptAmong } from './people.rules.ts'
import { type JoinPerson, peopleLimits } from './people.schema.ts'
import { asTyped, comparedOf, requireOwnValues, type TypedValue, writeValues } from './person-values.ts'
import {
  applyEdit,
  changedFields,
  type Facts,
  factsOf,
  openPerson,
  recordsUpToActive,
  requireKept,
  requireUnknown,
} from './write-person.ts'

/*
 * Two people who are one. A join links the other person to the kept one and moves no row, as a merge links two businesses: the values, interactions,
 * drafts and evidence of the other person stay with it, and the reversal of a merge separates the two (docs/decisions/joined-people.md).
 */

/**
 * Joins another person of the prospect into this one, based on the versions of both that were read. The kept person gets the sent values; for a field
 * that is not sent, its own one or, if it has none, that of the other person; the addresses and numbers of both. If one is do not contact, so is the
 * other one. A repeated join changes nothing. Errors: `not_found`, `version_conflict`, `conflict` (the other person was changed), `business_not_active`, `person_joined`,
 * `person_known`, and `invalid_request` for the same person twice, too many values, or a value of another prospect.
 */
export async function joinPeople(
  tx: Tx,
  id: string,
  expectedVersion: number,
  { with: otherId, withVersion, ...edit }: JoinPerson,
): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const { tenantId } = tx.actor
  const { row: kept, records, family, known } = await openPerson(tx, id, expectedVersion)
  if (known.some((one) => one.id === otherId && one.joinedInto === id)) return unchanged({ id })
  const other = await getOther(tx, family, { id, otherId, withVersion })
  for (const one of [kept, other]) requireKept(known, one.id)
  const [own, others] = [await valuesOf(tx, kept), await valuesOf(tx, other)]
  const before: Facts = { ...factsOf(kept), values: own }
  const together = { ...before, ...missingIn(kept, other), values: unionOf(own, others) }
  const after = applyEdit(together, edit)
  requireFewValues(after.values)
  const keptOf = keptAmong(known)
  requireUnknown(
    known.filter((one) => ![id, otherId].includes(keptOf(one.id))),
    after,
  )
  const had = new Set([...own, ...others].map(comparedOf))
  await requireOwnValues(
    tx,
    family,
    after.values.filter((one) => !had.has(comparedOf(one))),
  )
  const key = { tenantId, businessId: kept.business_id, id }
  await writeValues(tx, key, { before: own, after: after.values, blockedAt: kept.blocked_at })
  const { values: _values, ...columns } = after
  // The kept person loses a link of its own that has no effect here, so links form no circle once merges bring those people together.
  await updatePerson(tx.db, key, { ...columns, joined_into: null, version: kept.version + 1, updated_at: tx.at })
  await updatePerson(
    tx.db,
    { tenantId, businessId: other.business_id, id: otherId },
    { joined_into: id, version: other.version + 1, updated_at: tx.at },
  )
  await markBoth(tx, [id, otherId])
  for (const record of records) await refreshSearchText(tx, record)
  const fields = changedFields(before, after)
  await tx.record({ subject: { type: 'person', id }, businessId: kept.business_id, after: { joined: otherId, fields } })
  await tx.record({
    subject: { type: 'person', id: otherId },
    businessId: other.business_id,
    before: { joinedInto: other.joined_into },
    after: { joinedInto: id },
  })
  return { id }
}

/** Returns the person to join. Errors: `invalid_request` (the same person), `not_found`, `conflict`. */
async function getOther(
  tx: Tx,
  family: readonly string[],
  { id, otherId, withVersion }: { id: string; otherId: string; withVersion: number },
): Promise<PersonRow> {
  if (otherId === id)
    throw invalidField('with', 'same_person', 'A person cannot be joined with itself. Choose another.')
  const other = await findPersonRow(tx.db, tx.actor.tenantId, otherId)
  if (other === undefined || !family.includes(other.business_id))
    throw namesNothing('with', 'This prospect has no such person.')
  if (other.version !== withVersion)
    throw new AppError(
      'conflict',
      'Somebody else changed the other person after you opened the two. Compare them again.',
    )
  return other
}

async function valuesOf(tx: Tx, { id, business_id }: PersonRow): Promise<TypedValue[]> {
  const { tenantId } = tx.actor
  const rows = await selectValues(tx.db, { tenantId, family: [business_id], limit: COMPARED_VALUES })
  return rows.filter(({ person_id }) => person_id === id).map(asTyped)
}

/** Returns the facts of the other person that the kept one lacks. */
function missingIn(kept: PersonRow, other: PersonRow): Partial<Facts> {
  const missing = (['role', 'language', 'note'] as const).filter((name) => kept[name] === null)
  return Object.fromEntries(missing.map((name) => [name, other[name]]))
}

/** Returns the values of both, those of the kept person first, each once. */
function unionOf(own: readonly TypedValue[], others: readonly TypedValue[]): TypedValue[] {
  const had = new Set(own.map(comparedOf))
  return [...own, ...others.filter((one) => !had.has(comparedOf(one)))]
}

/** Errors: `invalid_request`. */
function requireFewValues(values: readonly TypedValue[]): void {
  for (const [kind, nouns] of [
    ['email', 'addresses'],
    ['phone', 'numbers'],
  ] as const) {
    const count = values.filter((one) => one.kind === kind).length
    if (count <= peopleLimits.valuesOfKind) continue
    const message = `Together, the two have ${count} ${nouns}; the limit is ${peopleLimits.valuesOfKind}. Choose which ones to keep.`
    throw invalidField(`${kind}s`, 'too_many', message)
  }
}

/** If one of two joined people is do not contact, marks the other one and everybody joined with the two. */
async function markBoth(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const row = await getPersonRow(tx.db, tx.actor.tenantId, id)
    const { blocked_at: at, blocked_by: by, blocked_reason: reason } = row
    if (at !== null && by !== null && reason !== null) return markJoined(tx, row, { at, by, reason })
  }
}

/**
 * Separates a person from the one with whom it was joined. Both are listed again with their own values; the kept person keeps what the join gave it, and
 * both keep a do-not-contact mark. Without effect for a person who is not joined. Errors: `not_found`, `business_not_active`.
 */
export async function separatePerson(tx: Tx, id: string): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const { tenantId } = tx.actor
  const row = await getPersonRow(tx.db, tenantId, id)
  await recordsUpToActive(tx, row.business_id)
  const family = await wholeFamilyOf(tx.db, tenantId, row.business_id)
  const known = await selectNamed(tx.db, { tenantId, family, limit: COMPARED_PEOPLE })
  if (keptAmong(known)(id) === id) return unchanged({ id })
  await endLink(tx, row)
  return { id }
}
