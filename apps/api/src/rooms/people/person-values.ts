import { invalidField } from '../../lib/app-error.ts'
import type { Tx } from '../../store/change/change.ts'
import type { Db } from '../../store/database.ts'
import {
  familyOf,
  findBusinesses,
  findHolders,
  insertTombstones,
  isBlockedAbove,
  markMatched,
} from '../businesses/businesses.ts'
import { type ContactValue, gate, recordKeysOf, replaceRecordKeys } from '../contact-gate/contact-gate.ts'
import { normalizeIdentifier, saysNone } from '../normalization/normalization.ts'
import { contactValuesOf } from '../suppression/suppression.ts'
import {
  COMPARED_PEOPLE,
  COMPARED_VALUES,
  type PersonKey,
  replaceValues,
  selectNamed,
  selectValues,
  selectValuesOfBlocked,
} from './people.queries.ts'
import { keptAmong } from './people.rules.ts'
import type { AddPerson } from './people.schema.ts'
import type { PersonIdentifierTable } from './people.table.ts'

/*
 * Contact values of people and the suppression gate. A value that a person has is a claim about the business, like one of its evidence: an entry that
 * matches the value marks the business. The keys of these values are therefore stored with those of the evidence.
 */

/** A typed value. `path`: the place in the request. */
export type TypedValue = {
  kind: 'email' | 'phone'
  value: string
  label: string | null
  region: string | null
  path: string
}

/** Returns the sent values in the order of the lists, without those that say that there is none, such as `n/a`. */
export function typedValues({ emails = [], phones = [] }: Pick<AddPerson, 'emails' | 'phones'>): TypedValue[] {
  const typed = [
    ...emails.map((one, at) => ({ kind: 'email' as const, region: null, ...one, path: `emails.${at}.value` })),
    ...phones.map((one, at) => ({ kind: 'phone' as const, ...one, path: `phones.${at}.value` })),
  ]
  return typed.filter(({ value }) => !saysNone(value))
}

/** Returns the form in which two values are compared: the normalized form, or the text of a value that has none. */
export function comparedText({ kind, value, region = null }: ContactValue): string {
  return normalizeIdentifier(kind, value, region).normalized ?? value.trim().toLowerCase()
}

/** Returns a stored value as a request would contain it. */
export function asTyped({ kind, original: value, label, region, position }: PersonIdentifierTable): TypedValue {
  return { kind, value, label, region, path: `${kind}s.${position}.value` }
}

/** Returns what two values of one kind have in common. */
export function comparedOf(value: ContactValue): string {
  return `${value.kind} ${comparedText(value)}`
}

const nouns = { email: 'address', phone: 'number' } as const

/**
 * Requires that no value is one of another prospect only, because the person would then be recorded at the wrong prospect. A value that this prospect
 * has too may be shared. Errors: `invalid_request`.
 */
export async function requireOwnValues(
  tx: Tx,
  family: readonly string[],
  values: readonly TypedValue[],
): Promise<void> {
  const { tenantId } = tx.actor
  for (const { kind, value, region, path } of values) {
    const { normalized } = normalizeIdentifier(kind, value, region)
    if (normalized === null) continue
    const holders = await findHolders(tx.db, { tenantId, kind, normalized })
    const [other] = holders
    if (other === undefined || holders.some(({ id }) => family.includes(id))) continue
    const message = `This ${nouns[kind]} belongs to another prospect, “${other.name}”. Add the person there, or add the ${nouns[kind]} to this prospect first.`
    throw invalidField(path, 'of_another_prospect', message)
  }
}

/**
 * Writes the values of a person and asks the gate: a value that an entry matches marks the business, and every record that it was merged into. A value
 * that leaves a do-not-contact person or business gets a tombstone, unless the business still has it. `blockedAt`: when the person was marked by hand.
 */
export async function writeValues(
  tx: Tx,
  key: PersonKey,
  {
    before,
    after,
    blockedAt,
  }: { before: readonly ContactValue[]; after: readonly TypedValue[]; blockedAt: string | null },
): Promise<void> {
  const { tenantId, businessId } = key
  await replaceValues(tx.db, key, rowsOf(key, after, blockedAt))
  const { own, claimed } = await contactValuesOf(tx.db, tenantId, businessId)
  const keysBefore = before.map(recordKeysOf)
  const claimedKeys = claimed.flatMap(recordKeysOf)
  await replaceRecordKeys(tx, businessId, { before: keysBefore.flat(), after: claimedKeys }, { ofEvidence: 1 })
  await markMatched(tx, businessId, await gate(tx, tenantId, after))
  const kept = new Set([...own.flatMap(recordKeysOf), ...claimedKeys])
  const removed = before.filter((_, at) => keysBefore[at]?.some((one) => !kept.has(one)))
  if (removed.length > 0 && (blockedAt !== null || (await isBlockedAbove(tx.db, tenantId, businessId))))
    await insertTombstones(tx, businessId, removed)
}

function rowsOf(
  { tenantId, businessId, id }: PersonKey,
  values: readonly TypedValue[],
  blockedAt: string | null,
): PersonIdentifierTable[] {
  return (['email', 'phone'] as const).flatMap((kind) =>
    values
      .filter((one) => one.kind === kind)
      .map(({ value, label, region }, position) => ({
        tenant_id: tenantId,
        business_id: businessId,
        person_id: id,
        kind,
        position,
        original: value,
        label,
        region,
        blocked_at: blockedAt,
      })),
  )
}

/** Returns the values of a business and of all records merged into it, in the form in which they are compared. */
export async function valuesOfBusiness(
  db: Db,
  tenantId: string,
  family: readonly string[],
): Promise<ReadonlySet<string>> {
  const businesses = await findBusinesses(db, tenantId, family)
  const own = [...businesses.values()].flatMap(({ emails, phones }) => [
    ...emails.map(({ value }) => ({ kind: 'email' as const, value })),
    ...phones.map(({ value, region = null }) => ({ kind: 'phone' as const, value, region })),
  ])
  return new Set(own.map(comparedOf))
}

/**
 * Returns a function that returns since when values reach a person of these records who was marked do not contact by hand; null if they reach none. Such
 * a value is no recipient, although the business may be contacted in other ways.
 */
export async function readBlockedReach(
  db: Db,
  tenantId: string,
  family: readonly string[],
): Promise<(values: readonly ContactValue[]) => string | null> {
  const since = new Map<string, string>()
  for (const { kind, original, region, blocked_at: at } of await selectValuesOfBlocked(db, tenantId, family)) {
    if (at === null) continue
    for (const key of recordKeysOf({ kind, value: original, region })) {
      const first = since.get(key)
      if (first === undefined || at < first) since.set(key, at)
    }
  }
  if (since.size === 0) return () => null
  return (values) =>
    values
      .flatMap(recordKeysOf)
      .flatMap((key) => since.get(key) ?? [])
      .toSorted()[0] ?? null
}

/** Returns true if one of these values reaches a person at this business, or at a record merged into it, who was marked do not contact by hand. */
export async function reachesBlockedPerson(
  db: Db,
  tenantId: string,
  businessId: string,
  values: readonly ContactValue[],
): Promise<boolean> {
  const blockedSince = await readBlockedReach(db, tenantId, await familyOf(db, tenantId, businessId))
  return blockedSince(values) !== null
}

/**
 * Returns the only person whom these values reach: at this business or at a record merged into it, not left and not marked do not contact. Undefined if
 * there is none, or if several people share the value.
 */
export async function findPersonReached(
  db: Db,
  tenantId: string,
  businessId: string,
  values: readonly ContactValue[],
): Promise<{ id: string; name: string } | undefined> {
  const family = await familyOf(db, tenantId, businessId)
  const rows = await selectValues(db, { tenantId, family, limit: COMPARED_VALUES })
  if (rows.length === 0) return undefined
  const named = await selectNamed(db, { tenantId, family, limit: COMPARED_PEOPLE })
  const keptOf = keptAmong(named)
  const keys = new Set(values.flatMap(recordKeysOf))
  const reached = new Set(
    rows
      .filter(({ kind, original: value, region }) => recordKeysOf({ kind, value, region }).some((key) => keys.has(key)))
      .map(({ person_id: id }) => keptOf(id)),
  )
  const [only, ...others] = named.filter(({ id, isPresent }) => isPresent && reached.has(id))
  return others.length === 0 ? only : undefined
}

/**
 * Suppresses the values of people of these records who were marked do not contact by hand, before an erasure empties them, so that no later record makes
 * them contactable. The erasure itself suppresses the values of a blocked business.
 */
export async function suppressBlocked(tx: Tx, businessIds: readonly string[]): Promise<void> {
  for (const businessId of businessIds) {
    const rows = await selectValuesOfBlocked(tx.db, tx.actor.tenantId, [businessId])
    await insertTombstones(
      tx,
      businessId,
      rows.map(({ kind, original: value, region }) => ({ kind, value, region })),
    )
  }
}
