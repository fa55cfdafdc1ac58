import { createBreather } from '../../../lib/event-loop.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import { gate, recordKeysOf, replaceRecordKeys } from '../../contact-gate/contact-gate.ts'
import { NORMALIZATION_VERSION, normalizeIdentifier, provinceCodeOf } from '../../normalization/normalization.ts'
import { markInStep } from '../blocks/mark-matched.ts'
import type { BusinessTable } from '../businesses.table.ts'
import {
  getStoredRecord,
  type IdentifierRecord,
  refreshSearchText,
  type StoredRecord,
} from '../family/merge-records.ts'
import { doubtsOf } from './doubts.ts'
import { primaries } from './write-business.ts'

/*
 * Derives normalized forms again if they are of an older rule version. The typed values stay unchanged. Suppression keys are only added, and no block
 * is lifted.
 */

const RECORDS_A_STEP = 100

/** Result of one step. `after`: the id after which the next step begins; null at the end. */
type RenormalizedStep = { read: number; businesses: number; identifiers: number; after: string | null }

/** Returns the identifier with the normalized form of the current rules. */
export function renewIdentifier(row: IdentifierRecord): IdentifierRecord {
  if (row.normalization_version === NORMALIZATION_VERSION) return row
  const { kind, original, region } = row
  return { ...row, ...normalizeIdentifier(kind, original, region), normalization_version: NORMALIZATION_VERSION }
}

/** Returns the columns with the values that the current rules derive. */
export function renewColumns<
  Columns extends Pick<BusinessTable, 'province' | 'province_code' | 'normalization_version'>,
>(columns: Columns): Columns {
  if (columns.normalization_version === NORMALIZATION_VERSION) return columns
  return {
    ...columns,
    province_code: provinceCodeOf(columns.province),
    normalization_version: NORMALIZATION_VERSION,
  }
}

/**
 * Rewrites a batch of businesses after the id `after` whose forms are of an older rule version, including merged and inactive ones. Increments the
 * version of each.
 */
export async function renormalizeStep(tx: Tx, after: string): Promise<RenormalizedStep | Unchanged<RenormalizedStep>> {
  const rows = await tx.db
    .selectFrom('businesses')
    .select('id')
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(RECORDS_A_STEP)
    .execute()
  const last = rows.length < RECORDS_A_STEP ? null : (rows.at(-1)?.id ?? null)
  const step: RenormalizedStep = { read: rows.length, businesses: 0, identifiers: 0, after: last }
  const breathe = createBreather()
  for (const { id } of rows) {
    await breathe()
    const record = await getStoredRecord(tx.db, tx.actor.tenantId, id)
    const old = record.identifiers.filter((row) => row.normalization_version !== NORMALIZATION_VERSION)
    if (old.length === 0 && record.business.normalization_version === NORMALIZATION_VERSION) continue
    await rewriteForms(tx, record, old)
    step.businesses += 1
    step.identifiers += old.length
  }
  if (step.businesses === 0) return unchanged(step)
  await tx.record({
    subject: { type: 'tenant', id: tx.actor.tenantId },
    after: { normalizationVersion: NORMALIZATION_VERSION, businesses: step.businesses, identifiers: step.identifiers },
  })
  return step
}

async function rewriteForms(tx: Tx, { business, identifiers }: StoredRecord, old: readonly IdentifierRecord[]) {
  const { tenantId } = tx.actor
  const { id } = business
  const { province_code, normalization_version } = renewColumns(business)
  const renewed = identifiers.map(renewIdentifier)
  const { primary_phone_normalized } = primaries(renewed)
  const doubts = doubtsOf(business, renewed)
  await tx.db
    .updateTable('businesses')
    .set({ province_code, normalization_version, primary_phone_normalized, doubts, version: business.version + 1 })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  for (const row of old) {
    const { normalized, uncertainty, normalization_version: version } = renewIdentifier(row)
    await tx.db
      .updateTable('business_identifiers')
      .set({ normalized, uncertainty, normalization_version: version })
      .where('tenant_id', '=', tenantId)
      .where('business_id', '=', id)
      .where('kind', '=', row.kind)
      .where('position', '=', row.position)
      .execute()
  }
  const values = identifiers.map(({ kind, original: value, region }) => ({ kind, value, region }))
  await replaceRecordKeys(tx, id, { before: [], after: values.flatMap(recordKeysOf) })
  await markInStep(tx, id, await gate(tx, tenantId, values))
  await refreshSearchText(tx, id)
}
