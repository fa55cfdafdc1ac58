import { actorKey, requirePermission, type UserActor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { createBreather } from '../../../lib/event-loop.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import { tooLarge as exceeds, type SizeLimit } from '../../../lib/limit-reached.ts'
import { slicesOf } from '../../../lib/slices.ts'
import type { Tx } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import type { Store } from '../../../store/store.ts'
import { getBusiness } from '../../businesses/businesses.ts'
import { contradictedFields } from '../../evidence/evidence.ts'
import { isMember } from '../../identity/identity.ts'
import { createMatchingCounter, selectMatchingIds } from '../../prospect-list/prospect-list.ts'
import { predicateOf } from '../queue/review-queue.ts'
import {
  deleteExpiredPreviews,
  doneTo,
  findNames,
  getBulkRow,
  getPreviewRow,
  insertPreview,
  readParams,
  readRecords,
  readRefused,
  type SelectedRecord,
  selectionOf,
  selectOutcomes,
} from './bulk.queries.ts'
import { openPreviewQuota } from './bulk.quota.ts'
import { type BulkPreview, limits, type PreviewBulk, type SelectionIn } from './bulk.schema.ts'
import type { BulkAction, BulkParams, BulkPreviewRow, OutcomeCode } from './bulk.table.ts'
import { type Decided, decide, decideUndo, needsWrite, type RecordState } from './bulk-outcome.rules.ts'
import { doneOf } from './done.ts'
import { readRecordStates } from './record-states.ts'

/** Records per query, and records evaluated without a pause. */
const RECORDS_A_STEP = 200
const MINUTE_MS = 60_000

type Selection = Pick<BulkPreviewRow, 'predicate' | 'excluded' | 'max_size'> & { ids: readonly string[] }
type Wanted = { action: BulkAction; params: BulkParams; undoes: string | null; selection: Selection }

/** A computed preview before it is stored. */
export type ComputedPreview = Omit<BulkPreviewRow, 'tenant_id' | 'id' | 'created_at' | 'created_by' | 'expires_at'>

/**
 * Freezes a selection and predicts the outcome of the action for each record. Writes nothing. Errors: `permission_denied` (for the action on a single
 * record), `selection_too_large`, `not_found` (a bulk action or filter), `filter_unreadable`.
 */
export async function computePreview(store: Store, actor: UserActor, input: PreviewBulk): Promise<ComputedPreview> {
  if (needsWrite(input.action)) requirePermission(actor, 'businesses.write')
  const params: BulkParams =
    input.action === 'assign'
      ? { assigneeId: input.assigneeId }
      : input.action === 'reject'
        ? { reasonCode: input.reasonCode }
        : input.action === 'verify'
          ? {}
          : { tag: input.tag }
  const selection = await freeze(store, actor, input.selection)
  return compute(store, actor, { action: input.action, params, undoes: null, selection })
}

/** Computes the preview of undoing a bulk, for the records that it changed. Errors: `not_found`, `permission_denied`. */
export async function computeUndoPreview(store: Store, actor: UserActor, bulkId: string): Promise<ComputedPreview> {
  const { tenantId } = actor
  const bulk = await getBulkRow(store.reader, tenantId, bulkId)
  if (needsWrite(bulk.action)) requirePermission(actor, 'businesses.write')
  const ids = await idsOfBulk(store, tenantId, bulkId, 'changed', undefined)
  const selection = { ids, predicate: null, excluded: 0, max_size: limits.selection }
  return compute(store, actor, { action: bulk.action, params: readParams(bulk.params), undoes: bulkId, selection })
}

async function freeze(store: Store, actor: UserActor, selection: SelectionIn): Promise<Selection> {
  if ('ids' in selection)
    return { ids: [...new Set(selection.ids)], predicate: null, excluded: 0, max_size: limits.ids }
  if ('bulkId' in selection) {
    await getBulkRow(store.reader, actor.tenantId, selection.bulkId)
    const ids = await idsOfBulk(store, actor.tenantId, selection.bulkId, selection.outcome, selection.code)
    return { ids, predicate: null, excluded: 0, max_size: limits.selection }
  }
  const wanted = 'filter' in selection ? { conditions: selection.filter } : { filterId: selection.filterId }
  const { predicate, filter } = await predicateOf(store, actor, wanted)
  const excluded = new Set(selection.excludedIds)
  const found = await selectMatchingIds(store, filter, limits.selection + excluded.size + 1)
  const ids = found.filter((id) => !excluded.has(id))
  if (ids.length > limits.selection) {
    const { value } = await createMatchingCounter(store)(filter)
    throw tooLarge(value - (found.length - ids.length))
  }
  const excludedCount = found.length - ids.length
  return { ids, predicate: JSON.stringify(predicate), excluded: excludedCount, max_size: limits.selection }
}

export const selectionSize: SizeLimit = {
  name: 'bulk_selection',
  subject: 'This selection',
  unit: 'prospects',
  remedy: 'Narrow the filter.',
}

function tooLarge(size: number): AppError {
  const max = limits.selection
  return exceeds(selectionSize, { code: 'selection_too_large', size, max })
}

/** Returns the records of a bulk with the given outcome, in the order of its selection. */
async function idsOfBulk(
  store: Store,
  tenantId: string,
  bulkId: string,
  outcome: Extract<SelectionIn, { bulkId: string }>['outcome'],
  code: OutcomeCode | undefined,
): Promise<string[]> {
  const bulk = await getBulkRow(store.reader, tenantId, bulkId)
  const { records } = await getPreviewRow(store.reader, tenantId, bulk.preview_id)
  const outcomes = new Map(
    (await selectOutcomes(store.backgroundOf(tenantId), tenantId, bulkId)).map((one) => [one.place, one] as const),
  )
  return readRecords(records).flatMap(([id], place) => {
    const one = outcomes.get(place)
    const isWanted = (one?.outcome ?? 'not_done') === outcome && (code === undefined || one?.code === code)
    return isWanted ? [id] : []
  })
}

async function compute(
  store: Store,
  actor: UserActor,
  { action, params, undoes, selection }: Wanted,
): Promise<ComputedPreview> {
  const { tenantId } = actor
  const asOf = store.clock().toISOString()
  const breathe = createBreather()
  const records: SelectedRecord[] = []
  const refused = new Map<OutcomeCode, { count: number; examples: string[] }>()
  let [wouldChange, unchanged] = [0, 0]
  const assignable = createAssignable(store.reader, tenantId)
  for (const ids of slicesOf(selection.ids, RECORDS_A_STEP)) {
    const states = await readRecordStates(store.backgroundOf(tenantId), tenantId, ids)
    for (const id of ids) {
      const record = states.get(id)
      const decided =
        undoes === null
          ? await predict(store, tenantId, { action, params, record, isAssignable: assignable(params.assigneeId) })
          : await predictUndo(store, tenantId, { action, params, undoes, record, assignable })
      records.push([id, record?.stamp ?? null, decided.code ?? decided.outcome])
      if (decided.outcome === 'changed') wouldChange += 1
      else if (decided.outcome === 'unchanged') unchanged += 1
      else {
        const known = refused.get(decided.code) ?? { count: 0, examples: [] }
        known.count += 1
        if (known.examples.length < limits.examples) known.examples.push(id)
        refused.set(decided.code, known)
      }
      await breathe()
    }
  }
  const listed = [...refused].map(([code, { count, examples }]) => ({ code, count, examples }))
  return {
    action,
    params: JSON.stringify(params),
    undoes,
    predicate: selection.predicate,
    excluded: selection.excluded,
    size: records.length,
    max_size: selection.max_size,
    as_of: asOf,
    would_change: wouldChange,
    unchanged,
    refused: JSON.stringify(listed),
    records: JSON.stringify(records),
    fingerprint: fingerprint({ action, params, undoes, records }),
  }
}

type Assignable = (assigneeId: string | null | undefined) => Promise<boolean>

/** Returns a function that returns true if prospects may be assigned to a person. Results are cached per person. */
function createAssignable(db: Store['reader'], tenantId: string): Assignable {
  const known = new Map<string, Promise<boolean>>()
  return (assigneeId) => {
    if (assigneeId == null) return Promise.resolve(true)
    const asked = known.get(assigneeId) ?? isMember(db, tenantId, assigneeId)
    known.set(assigneeId, asked)
    return asked
  }
}

async function predict(
  store: Store,
  tenantId: string,
  wanted: {
    action: BulkAction
    params: BulkParams
    record: RecordState | undefined
    isAssignable: Promise<boolean>
  },
): Promise<Decided> {
  const { action, params, record } = wanted
  const isAssignable = await wanted.isAssignable
  const decided = decide(action, params, record, { isAssignable, isContradicted: false })
  if (action !== 'verify' || decided.outcome !== 'changed' || record === undefined || !record.hasEvidence)
    return decided
  const business = await getBusiness(store.backgroundOf(tenantId), tenantId, record.id)
  const isContradicted = (await contradictedFields(store.backgroundOf(tenantId), tenantId, business)).length > 0
  return decide(action, params, record, { isAssignable, isContradicted })
}

async function predictUndo(
  store: Store,
  tenantId: string,
  wanted: {
    action: BulkAction
    params: BulkParams
    undoes: string
    record: RecordState | undefined
    assignable: Assignable
  },
): Promise<Decided> {
  const { action, params, undoes, record, assignable } = wanted
  const done =
    record === undefined ? undefined : await doneOf(store.backgroundOf(tenantId), tenantId, undoes, record.id)
  const goesBackTo = action === 'assign' ? (done?.before.assigneeId as string | null | undefined) : null
  return decideUndo(action, params, record, done, { isAssignable: await assignable(goesBackTo) })
}

/**
 * Stores a preview for its creator and deletes the tenant's expired, unused previews. Errors: `too_many_previews` (the creator has too many open
 * ones).
 */
export async function keepPreview(tx: Tx, preview: ComputedPreview): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  await deleteExpiredPreviews(tx.db, tenantId, tx.at)
  await requireRoom(tx, openPreviewQuota)
  const id = newId()
  await insertPreview(tx.db, {
    ...preview,
    tenant_id: tenantId,
    id,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    expires_at: new Date(Date.parse(tx.at) + limits.previewMinutes * MINUTE_MS).toISOString(),
  })
  const { action, size, undoes, excluded, would_change: wouldChange, unchanged } = preview
  await tx.record({
    subject: { type: 'bulk_preview', id },
    after: { action, undoes, size, excluded, wouldChange, unchanged, fingerprint: preview.fingerprint },
  })
  return { id }
}

/** Returns a preview of this person. Errors: `not_found`, also for the preview of another person. */
export async function getPreview(store: Store, actor: UserActor, id: string): Promise<BulkPreview> {
  const row = await getPreviewRow(store.reader, actor.tenantId, id)
  if (row.created_by !== actor.userId) throw new AppError('not_found', 'There is no such record.')
  const refused = readRefused(row.refused)
  const names = await findNames(
    store.reader,
    actor.tenantId,
    refused.flatMap(({ examples }) => examples),
  )
  return {
    id: row.id,
    ...doneTo(row),
    expiresAt: row.expires_at,
    selection: selectionOf(row),
    wouldChange: row.would_change,
    unchanged: row.unchanged,
    refused: refused.map(({ code, count, examples }) => ({
      code,
      count,
      examples: examples.map((one) => ({ id: one, name: names.get(one) ?? '' })),
    })),
    fingerprint: row.fingerprint,
    usedBy: row.bulk_id,
  }
}
