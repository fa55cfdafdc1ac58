import { isDeepStrictEqual } from 'node:util'
import { requireVersion } from '../../../http/conditional.ts'
import { objectOf, withoutUndefined } from '../../../lib/map-values.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import { type ContactValue, gate, recordKeysOf, replaceRecordKeys } from '../../contact-gate/contact-gate.ts'
import { NORMALIZATION_VERSION, provinceCodeOf } from '../../normalization/normalization.ts'
import { insertTombstones } from '../blocks/insert-tombstones.ts'
import { markMatched } from '../blocks/mark-matched.ts'
import { getBusiness } from '../businesses.queries.ts'
import type { Business, EditBusiness } from '../businesses.schema.ts'
import { textsOfFamily } from '../family/merge-records.ts'
import { indexRecord } from '../search/index-record.ts'
import { requireAssignable } from './assignee.ts'
import { getActiveBusiness } from './business-state.ts'
import { doubtsOf } from './doubts.ts'
import { factColumnsOf, type OwnFacts, ownFacts } from './facts.ts'
import {
  contactValues,
  type IdentifierInput,
  identifierRows,
  nameKey,
  primaries,
  replaceTags,
  requireName,
  writeIdentifiers,
} from './write-business.ts'

/** The editable fields, in the form in which they are compared, audited and written. */
type Facts = OwnFacts & {
  /** null if the registered name is unknown; the trading name is then stored as the name */
  name: string | null
  emails: readonly IdentifierInput[]
  phones: readonly IdentifierInput[]
  domains: readonly IdentifierInput[]
  address: Business['address']
  tags: readonly string[]
  assigneeId: string | null
}

/**
 * Changes only the sent fields, based on the version that the person read. If all sent values are the current ones, nothing is written. The audit
 * event contains only the changed fields, before and after. An identifier that a suppression entry matches marks the record; removing the identifier
 * does not lift the mark. Errors: `not_found`, `version_conflict`, `business_not_active`, `assignee_not_a_member`, `invalid_request` for a record
 * without any name.
 */
export async function editBusiness(
  tx: Tx,
  id: string,
  expectedVersion: number,
  edit: EditBusiness,
): Promise<Business | Unchanged<Business>> {
  const current = await getActiveBusiness(tx, id)
  requireVersion(expectedVersion, current.version)
  const before = factsOf(current)
  const after = applyEdit(before, edit)
  const changed = factNames.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  if (changed.length === 0) return unchanged(current)
  if (changed.includes('assigneeId')) await requireAssignable(tx, after.assigneeId)
  await writeFacts(tx, current, after, new Set(changed))
  if (hasIdentifiers(changed)) await askTheGate(tx, current, valuesOf(before), valuesOf(after))
  await tx.record({
    subject: { type: 'business', id },
    businessId: id,
    before: pick(before, changed),
    after: pick(after, changed),
  })
  return getBusiness(tx.db, tx.actor.tenantId, id)
}

const factNames = [
  'name',
  ...ownFacts,
  'emails',
  'phones',
  'domains',
  'address',
  'tags',
  'assigneeId',
] as const satisfies readonly (keyof Facts)[]
type FactName = (typeof factNames)[number]

function factsOf(business: Business): Facts {
  return {
    name: business.isNameKnown ? business.name : null,
    ...objectOf<OwnFacts>(ownFacts, (field) => business[field]),
    emails: business.emails.map(asTyped),
    phones: business.phones.map((phone) => ({ ...asTyped(phone), region: phone.region ?? null })),
    domains: business.domains.map(asTyped),
    address: business.address,
    tags: business.tags,
    assigneeId: business.assignee?.id ?? null,
  }
}

function asTyped({ value, label }: Business['emails'][number]): IdentifierInput {
  return { value, label }
}

/** Applies an edit: an absent field stays unchanged and null empties it; of an address only the sent parts change. */
function applyEdit(before: Facts, edit: EditBusiness): Facts {
  const { address, ...rest } = edit
  const parts = withoutUndefined(address ?? {})
  return { ...before, ...withoutUndefined(rest), address: { ...before.address, ...parts } }
}

async function writeFacts(tx: Tx, current: Business, facts: Facts, changed: ReadonlySet<FactName>): Promise<void> {
  const { tenantId } = tx.actor
  const identifiers = { email: facts.emails, phone: facts.phones, domain: facts.domains }
  const rows = identifierRows(tenantId, current.id, identifiers)
  const name = requireName(facts.name, facts.tradingName)
  const columns = factColumnsOf({ ...facts, name })
  const row = {
    ...columns,
    name_key: nameKey(name),
    name_stands_in: facts.name === null ? (1 as const) : (0 as const),
    province_code: provinceCodeOf(facts.address.province),
    tags: JSON.stringify(facts.tags),
    assignee_id: facts.assigneeId,
    ...primaries(rows),
    doubts: doubtsOf(columns, rows),
  }
  await tx.db
    .updateTable('businesses')
    .set({ ...row, version: current.version + 1, updated_at: tx.at, normalization_version: NORMALIZATION_VERSION })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', current.id)
    .execute()
  if (changed.has('tags')) await replaceTags(tx, current.id, current.tags, facts.tags)
  // Rewrite the identifiers also if their normalized forms are of an older rule version.
  if (hasIdentifiers([...changed]) || current.normalizationVersion !== NORMALIZATION_VERSION) {
    await tx.db
      .deleteFrom('business_identifiers')
      .where('tenant_id', '=', tenantId)
      .where('business_id', '=', current.id)
      .execute()
    await writeIdentifiers(tx, rows)
  }
  await indexRecord(tx, current.id, { ...facts, name, identifiers: rows, ...(await textsOfFamily(tx, current.id)) })
}

function hasIdentifiers(changed: readonly FactName[]): boolean {
  return changed.includes('emails') || changed.includes('phones') || changed.includes('domains')
}

function valuesOf({ emails, phones, domains }: Facts): ContactValue[] {
  return contactValues({ email: emails, phone: phones, domain: domains })
}

/**
 * Checks the changed values at the suppression gate. Removed values of a do-not-contact record get tombstones (entries of hashes); new values can
 * match an entry.
 */
async function askTheGate(tx: Tx, current: Business, before: ContactValue[], after: ContactValue[]): Promise<void> {
  const { tenantId } = tx.actor
  const [keysBefore, keysAfter] = [before.map(recordKeysOf), after.map(recordKeysOf)]
  const kept = new Set(keysAfter.flat())
  const removed = before.filter((_, index) => keysBefore[index]?.some((key) => !kept.has(key)))
  await replaceRecordKeys(tx, current.id, { before: keysBefore.flat(), after: keysAfter.flat() })
  await markMatched(tx, current.id, await gate(tx, tenantId, after, keysAfter))
  if (current.doNotContact !== null) await insertTombstones(tx, current.id, removed)
}

function pick(facts: Facts, names: readonly FactName[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, facts[name]]))
}
