import type { BusinessRecord } from '@prospect/adapter-contract/business-records'
import { type Actor, actorKey } from '../../../lib/actor.ts'
import { AppError, invalidField, namesNothing, notFound } from '../../../lib/app-error.ts'
import { daysAfter, isInFuture } from '../../../lib/clock.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import {
  businessChild,
  getActiveBusiness,
  getBusiness,
  hidesWrittenFor,
  inFamily,
} from '../../businesses/businesses.ts'
import { gate, HIDDEN } from '../../contact-gate/contact-gate.ts'
import type { PreviewRow } from '../../csv-preview/csv-preview.ts'
import { addEvidence } from '../../evidence/evidence.ts'
import { valuesIn } from '../../normalization/normalization.ts'
import { countHealth } from '../health/health.queries.ts'
import { retentionDays } from '../registry/contract.rules.ts'
import type { SourceRow } from '../registry/registry.queries.ts'
import { contractOf, getSourceRow } from '../registry/source-state.ts'
import { CSV_SOURCE_ID, MANUAL_SOURCE_ID, type SourceRecordTable } from '../sources.table.ts'
import { findByIdentity, findRecord, insertRecord, selectRecords } from './records.queries.ts'
import { rawTextQuota } from './records.quota.ts'
import { type AddRecord, recordLimits, type SourceRecord } from './records.schema.ts'

/*
 * Source records (specification, Resources: Source record): raw material as it was supplied, and the facts taken from it. A row is inserted once.
 * Only its raw text is deleted, when its retention period ends. Supplied material counts as neither verified nor discovered.
 */

/**
 * Records one reference, entered by hand or taken from one row of a CSV preview, with the observations that the operator selected. Returns only its
 * id, because results of changes are stored for replays and must not contain the raw text. `found`: the result of reading the row of the preview,
 * which a thread reads before the transaction. Errors: `not_found`, `business_not_active`, `source_record_exists`, `invalid_request`, `limit_reached`
 * (raw texts), those of the read.
 */
export async function addRecord(
  tx: Tx,
  businessId: string,
  input: AddRecord,
  found: PromiseSettledResult<PreviewRow | undefined> | null = null,
): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  await getActiveBusiness(tx, businessId)
  const source = await getSourceRow(tx.db, tenantId, input.sourceId).catch(() => {
    throw namesNothing('sourceId', 'This source does not exist.')
  })
  const wanted = input.csvRow == null ? MANUAL_SOURCE_ID : CSV_SOURCE_ID
  if (source.id !== wanted)
    throw invalidField(
      'sourceId',
      'not_this_source',
      input.csvRow == null
        ? 'A reference is stored under the source for manual references.'
        : 'Rows of a preview are recorded under the entry for CSV rows.',
    )
  requireTimes(tx, input)
  const row = input.csvRow == null ? undefined : rowOf(found, input.csvRow)
  if (row !== undefined) requireFromRow(input, row.cells)
  const identity = row === undefined ? null : sha256(`csv\n${row.fileSha256}\n${row.row}`)
  if (identity !== null) await requireNew(tx, businessId, identity)
  const raw = row === undefined ? (input.raw ?? null) : JSON.stringify(Object.fromEntries(row.cells))
  if (raw !== null) await requireRawRoom(tx, source, 1)
  const id = await insertNewRecord(tx, source, {
    businessId,
    raw,
    identity,
    attribution: input.attribution,
    capturedAt: input.capturedAt,
    observedAt: input.observedAt ?? null,
    csv: row ?? null,
  })
  const evidence: string[] = []
  for (const { field, value, confidence } of input.observations) {
    const { attribution: sourceLabel, capturedAt, observedAt } = input
    const made = await addEvidence(
      tx,
      businessId,
      { field, value, confidence, sourceLabel, capturedAt, observedAt },
      { sourceRecordId: id },
    )
    evidence.push(made.id)
  }
  await tx.record({
    action: 'source_record.add',
    subject: { type: 'source_record', id },
    businessId,
    after: {
      source: source.slug,
      hasRaw: raw !== null,
      bytes: raw === null ? 0 : Buffer.byteLength(raw),
      evidence: evidence.length,
    },
  })
  return { id }
}

function requireTimes(tx: Tx, { capturedAt, observedAt }: AddRecord): void {
  if (isInFuture(capturedAt, tx.at)) throw invalidField('capturedAt', 'in_future', 'This time is in the future.')
  if (observedAt != null && observedAt > capturedAt)
    throw invalidField('observedAt', 'after_capture', 'An observation cannot be later than its capture.')
}

type Row = { fileSha256: string; row: number; line: number; cells: readonly (readonly [string, string])[] }

function rowOf(
  read: PromiseSettledResult<PreviewRow | undefined> | null,
  { columns }: NonNullable<AddRecord['csvRow']>,
): Row {
  if (read?.status === 'rejected') throw read.reason
  const found = read?.value
  if (found === undefined) throw namesNothing('csvRow.row', 'The preview does not show this row.')
  const cells = columns.map((column): readonly [string, string] => {
    const cell = found.cells.find((one) => one.column === column)
    if (cell === undefined) throw invalidField('csvRow.columns', 'no_such_column', `The row has no column ${column}.`)
    if (cell.isCut)
      throw invalidField(
        'csvRow.columns',
        'too_long',
        `The cell of column ${column} is longer than the preview shows; record it by hand.`,
      )
    return [`${column} ${cell.name ?? ''}`.trim(), cell.value]
  })
  return { fileSha256: found.fileSha256, row: found.row, line: found.line, cells }
}

/** Requires that the value of each observation from a row is a cell of that row. */
function requireFromRow({ observations }: AddRecord, cells: Row['cells']): void {
  const values = new Set(cells.map(([, value]) => value.trim()))
  const at = observations.findIndex(({ value }) => !values.has(value.trim()))
  if (at !== -1) throw invalidField(`observations.${at}.value`, 'not_in_row', 'No selected cell has this value.')
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(cells)))
  if (bytes > recordLimits.rawBytes)
    throw invalidField('csvRow.columns', 'too_long', 'These cells are longer than 16 KiB together.')
}

/** Requires that no record with this identity exists. Errors: `source_record_exists`, which names the existing record. */
async function requireNew(tx: Tx, businessId: string, identity: string): Promise<void> {
  const { tenantId } = tx.actor
  const known = await inFamily(tx.db, { tenantId, businessId }, (one) => findByIdentity(tx.db, tenantId, one, identity))
  if (known === undefined) return
  const message = `This row is already stored on this prospect, as the source record ${known.id}.`
  throw new AppError('source_record_exists', message, {
    errors: [{ path: 'csvRow.row', code: 'source_record_exists', message: known.id }],
  })
}

/** Requires room for raw texts that the contract of the source lets the platform store. Errors: `limit_reached`. */
async function requireRawRoom(tx: Tx, source: SourceRow, adding: number): Promise<void> {
  if (rawDaysOf(source) !== null) await requireRoom(tx, rawTextQuota, adding)
}

/** Returns the days for which raw texts of the source are stored, or null if none are. */
function rawDaysOf(source: SourceRow): number | null {
  return retentionDays[contractOf(source).rawRetention ?? 'none']
}

type NewRecord = {
  businessId: string
  raw: string | null
  identity: string | null
  reference?: string
  queryId?: string
  attribution: string
  capturedAt: string
  observedAt: string | null
  csv: Pick<Row, 'fileSha256' | 'row' | 'line'> | null
}

async function insertNewRecord(tx: Tx, source: SourceRow, record: NewRecord): Promise<string> {
  const { tenantId } = tx.actor
  const id = newId()
  const {
    businessId,
    raw,
    identity,
    reference = null,
    queryId = null,
    attribution,
    capturedAt,
    observedAt,
    csv,
  } = record
  const row: SourceRecordTable = {
    tenant_id: tenantId,
    id,
    business_id: businessId,
    source_id: source.id,
    number: source.contract_version,
    query_id: queryId,
    identity,
    reference,
    raw_sha256: raw === null ? null : sha256(raw),
    attribution,
    captured_at: capturedAt,
    observed_at: observedAt,
    csv_file_sha256: csv?.fileSha256 ?? null,
    csv_row: csv?.row ?? null,
    csv_line: csv?.line ?? null,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  }
  const days = rawDaysOf(source)
  const isKept = raw !== null && days !== null
  await insertRecord(tx.db, row, {
    tenant_id: tenantId,
    record_id: id,
    source_id: source.id,
    raw: isKept ? raw : null,
    state: isKept ? 'kept' : 'none',
    delete_after: isKept ? daysAfter(tx.at, days) : null,
    deleted_at: null,
    deleted_by: null,
    reason: null,
    failure: null,
  })
  if (isKept) await countHealth(tx.db, { tenantId, sourceId: source.id }, tx.at, { raw_kept: 1 })
  return id
}

/**
 * Stores the records that a source returned about a business. Skips records that exist already or contain a suppressed value. Returns the number of
 * stored records. Errors: `limit_reached`. The caller must have checked in this transaction that the business is active and may be contacted.
 */
export async function storeAnswers(
  tx: Tx,
  { sourceId, queryId, businessId }: { sourceId: string; queryId: string; businessId: string },
  records: readonly BusinessRecord[],
): Promise<{ stored: number; known: number; suppressed: number }> {
  const { tenantId } = tx.actor
  const source = await getSourceRow(tx.db, tenantId, sourceId)
  await requireRawRoom(tx, source, records.length)
  const counts = { stored: 0, known: 0, suppressed: 0 }
  for (const record of records) {
    const identity = sha256(`${sourceId}\n${record.reference}\n${sha256(record.raw)}`)
    const known = await inFamily(tx.db, { tenantId, businessId }, (one) =>
      findByIdentity(tx.db, tenantId, one, identity),
    )
    if (known !== undefined) counts.known += 1
    else if (await isSuppressed(tx, record)) counts.suppressed += 1
    else {
      const { raw, reference, observedAt } = record
      const about = { attribution: source.name, capturedAt: tx.at, observedAt }
      await insertNewRecord(tx, source, { businessId, raw, identity, reference, queryId, ...about, csv: null })
      counts.stored += 1
    }
  }
  return counts
}

/** True if an active suppression entry matches a value in the record. */
async function isSuppressed(tx: Tx, { raw, fields }: BusinessRecord): Promise<boolean> {
  // The raw text can name hosts that are not those of the business, such as the host of the source.
  const inRaw = valuesIn(raw).filter(({ kind }) => kind !== 'domain')
  const inFields = fields.flatMap(({ value }) => valuesIn(value))
  const values = [...inRaw, ...inFields].map(({ kind, normalized }) => ({ kind, value: normalized }))
  return (await gate(tx, tx.actor.tenantId, values)).length > 0
}

/** Returns the record with the texts that this person may see. Errors: `not_found`. */
export async function getRecord(db: Tx['db'], reader: Actor, businessId: string, id: string): Promise<SourceRecord> {
  const { tenantId } = reader
  const business = await getBusiness(db, tenantId, businessId)
  const record = await inFamily(db, { tenantId, businessId }, (one) => findRecord(db, tenantId, one, id))
  if (record === undefined) throw notFound()
  const isHidden = await hidesWrittenFor(db, reader, business, [record.businessId])
  return isHidden(record.businessId) ? withoutText(record) : record
}

/** Reads the records of a business and of all records merged into it, newest first. */
export const recordsOfBusiness = businessChild<SourceRecord, SourceRecord>({
  name: 'source-records',
  table: 'source_records',
  select: (db, { before: [before] = [], ...wanted }) => selectRecords(db, { ...wanted, before }),
  businessOf: ({ businessId }) => businessId,
  toItem: (record, { isHidden }) => (isHidden ? withoutText(record) : record),
})

/** Returns the record without its texts, because they can contain an address or a number of a business that is do not contact. */
function withoutText(record: SourceRecord): SourceRecord {
  const { reference, rawDeletionReason } = record
  return {
    ...record,
    raw: null,
    attribution: HIDDEN,
    reference: reference === null ? null : HIDDEN,
    rawDeletionReason: rawDeletionReason === null ? null : HIDDEN,
  }
}
