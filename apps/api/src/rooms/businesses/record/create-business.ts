import { actorKey, requirePermission } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { gate, recordKeysOfNormalized, replaceRecordKeys } from '../../contact-gate/contact-gate.ts'
import { NORMALIZATION_VERSION, provinceCodeOf } from '../../normalization/normalization.ts'
import { blockBusiness } from '../blocks/block-by-hand.ts'
import { blockOfNew, markNew } from '../blocks/mark-matched.ts'
import { getBusiness } from '../businesses.queries.ts'
import type { Business, CreateBusiness, PossibleDuplicate } from '../businesses.schema.ts'
import type { BusinessTable } from '../businesses.table.ts'
import { indexRecord } from '../search/index-record.ts'
import { requireAssignable } from './assignee.ts'
import { doubtsOf } from './doubts.ts'
import { factColumnsOf } from './facts.ts'
import { findPossibleDuplicates } from './possible-duplicates.ts'
import {
  identifierRows,
  insertBusiness,
  nameKey,
  primaries,
  readContact,
  requireName,
  writeIdentifiers,
  writeTags,
} from './write-business.ts'

/**
 * Creates a prospect in the state `new` and returns its id. Stores the values as typed and their normalized forms. A prospect that a suppression entry matches is **Do not contact** from the start, and so is one whose request blocks it by
 * hand (Phase 12 §2), in the same change. Errors: `assignee_not_a_member`, `permission_denied` for such a request.
 */
export async function createBusiness(tx: Tx, input: CreateBusiness): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { doNotContact, ...facts } = input
  const { address = {}, tags = [], assigneeId = null } = input
  if (doNotContact !== undefined) requirePermission(tx.actor, 'businesses.block')
  const name = requireName(input.name ?? null, input.tradingName ?? null)
  const identifiers = { email: input.emails ?? [], phone: input.phones ?? [], domain: input.domains ?? [] }
  await requireAssignable(tx, assigneeId)
  const id = newId()
  const normalized = identifierRows(tenantId, id, identifiers)
  const values = normalized.map(readContact)
  const keys = values.map(recordKeysOfNormalized)
  const matches = await gate(tx, tenantId, values, keys)
  const columns = factColumnsOf({ ...input, name })
  const row: BusinessTable = {
    tenant_id: tenantId,
    id,
    version: 1,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    updated_at: tx.at,
    ...columns,
    name_key: nameKey(name),
    name_stands_in: input.name == null ? 1 : 0,
    province_code: provinceCodeOf(address.province ?? null),
    tags: JSON.stringify(tags),
    assignee_id: assigneeId,
    ...primaries(normalized),
    status: 'active',
    merged_into: null,
    deactivated_at: null,
    deactivated_by: null,
    pipeline_state: 'new',
    state_before_pause: null,
    ...blockOfNew(tx, matches),
    has_evidence: 0,
    evidence_count: 0,
    last_interaction_at: null,
    last_outcome: null,
    follow_up_on: null,
    normalization_version: NORMALIZATION_VERSION,
    doubts: doubtsOf(columns, normalized),
    has_person: 0,
  }
  await insertBusiness(tx.db, row)
  await writeIdentifiers(tx, normalized)
  await replaceRecordKeys(tx, id, { before: [], after: keys.flat() })
  await writeTags(tx, id, tags)
  const { trading_name: tradingName, registration_number: registrationNumber } = row
  await indexRecord(tx, id, { name, tradingName, registrationNumber, identifiers: normalized, merged: [] })
  await tx.record({ subject: { type: 'business', id }, businessId: id, after: facts })
  await markNew(tx, id, matches)
  if (doNotContact !== undefined) await blockBusiness(tx, id, doNotContact.reason)
  return { id }
}

/**
 * Returns a created business, with other prospects of the tenant that share an identifier with the request that created it, as a hint. Errors:
 * `not_found`.
 */
export async function getCreatedBusiness(
  db: Tx['db'],
  tenantId: string,
  id: string,
  { emails = [], phones = [], domains = [] }: CreateBusiness,
): Promise<Business & { possibleDuplicates: PossibleDuplicate[] }> {
  const identifiers = identifierRows(tenantId, id, { email: emails, phone: phones, domain: domains })
  return {
    ...(await getBusiness(db, tenantId, id)),
    possibleDuplicates: await findPossibleDuplicates(db, tenantId, identifiers, { exceptId: id }),
  }
}
