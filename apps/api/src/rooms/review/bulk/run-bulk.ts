import { AppError } from '../../../lib/app-error.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { slicesOf } from '../../../lib/slices.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { findRecorded, readBack } from '../../audit/audit.ts'
import { systemActor } from '../../identity/identity.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { applyToRecord, type RunningBulk } from './apply-to-record.ts'
import {
  type BulkRow,
  endBulk,
  getBulkRow,
  getPreviewRow,
  insertOutcome,
  type OutcomeSummary,
  readParams,
  readPredicate,
  readRecords,
  type SelectedRecord,
  selectOutcomes,
} from './bulk.queries.ts'

/** Changed records per commit. A larger commit is no faster and blocks the event loop: 25 records blocked it for 82 ms. */
const CHANGES_A_COMMIT = 5
/** Records per commit that were predicted not to change. Each of them is checked again and gets an outcome. */
const OTHERS_A_COMMIT = 50
const REFUSALS_A_COMMIT = 500

type Placed = { place: number; record: SelectedRecord }

/**
 * Runs a bulk action record by record. Each outcome is committed together with its audit event. The stored outcomes show which records remain, so a
 * later attempt continues without repeating any. If the actor loses the permission, the remaining records are refused. At the end one event covers
 * the batch, after all outcomes and their events were read back.
 */
export async function runBulk(context: JobContext, bulkId: string): Promise<Record<string, number>> {
  const { store, tenantId, progress, effect } = context
  const bulk = await getBulkRow(store.reader, tenantId, bulkId)
  const { records: stored } = await getPreviewRow(store.reader, tenantId, bulk.preview_id)
  const records = readRecords(stored)
  const running: RunningBulk = {
    id: bulkId,
    action: bulk.action,
    undoes: bulk.undoes,
    params: readParams(bulk.params),
  }
  const known = new Set(
    (await selectOutcomes(store.backgroundOf(tenantId), tenantId, bulkId)).map(({ place }) => place),
  )
  const pending = records.flatMap((record, place) => (known.has(place) ? [] : [{ place, record }]))
  let done = known.size
  const tell = () => progress({ done, total: records.length, unit: 'prospects' })
  tell()
  for (const part of partsOf(pending)) {
    try {
      await effect(`records ${part[0]?.place}`, { action: 'bulk_review.check' }, (tx) => applyToAll(tx, running, part))
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'permission_denied')) throw error
      const left = pending.filter(({ place }) => !known.has(place))
      await refuseRest(store, bulk, left)
      done += left.length
      break
    }
    for (const { place } of part) known.add(place)
    done += part.length
    tell()
  }
  tell()
  return end(store, bulk, records.length)
}

/** Yields the records in slices: first, in small slices, those that were predicted to change, then the others. */
function* partsOf(pending: readonly Placed[]): Generator<Placed[]> {
  const isChange = ({ record: [, , predicted] }: Placed) => predicted === 'changed'
  yield* slicesOf(pending.filter(isChange), CHANGES_A_COMMIT)
  yield* slicesOf(
    pending.filter((one) => !isChange(one)),
    OTHERS_A_COMMIT,
  )
}

async function applyToAll(tx: Tx, bulk: RunningBulk, part: readonly Placed[]): Promise<{ changed: number }> {
  let changed = 0
  for (const { place, record } of part) {
    const outcome = await applyToRecord(tx, bulk, record)
    await insertOutcome(tx.db, {
      tenant_id: tx.actor.tenantId,
      bulk_id: bulk.id,
      place,
      business_id: record[0],
      ...outcome,
    })
    if (outcome.outcome === 'changed') changed += 1
  }
  // If no record of the slice changed, one event covers the slice; unchanged records have no event of their own.
  if (changed === 0)
    await tx.record({ subject: { type: 'bulk_review', id: bulk.id }, after: { checked: part.length, changed: 0 } })
  return { changed }
}

/** Writes a refusal for each remaining record, because the person lost the permission. The system is the actor. */
async function refuseRest(store: Store, bulk: BulkRow, left: readonly Placed[]): Promise<void> {
  const actor = systemActor('review', bulk.tenant_id, bulk.correlation_id)
  for (const part of slicesOf(left, REFUSALS_A_COMMIT))
    await change(store, actor, { permission: null, action: 'bulk_review.check' }, async (tx) => {
      for (const { place, record } of part)
        await insertOutcome(tx.db, {
          tenant_id: bulk.tenant_id,
          bulk_id: bulk.id,
          place,
          business_id: record[0],
          outcome: 'refused',
          code: 'permission_denied',
          before: null,
          after: null,
          audit_event_id: null,
        })
      await tx.record({ subject: { type: 'bulk_review', id: bulk.id }, after: { refused: part.length } })
    })
}

/**
 * Reads all outcomes and their events back, and ends the bulk action with one event for the batch. Errors: `unavailable` (an outcome or event is
 * missing).
 */
async function end(store: Store, bulk: BulkRow, size: number): Promise<Record<string, number>> {
  const { tenant_id: tenantId, id } = bulk
  const outcomes = await selectOutcomes(store.backgroundOf(tenantId), tenantId, id)
  const counted = (wanted: OutcomeSummary['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length
  const counts = { changed: counted('changed'), unchanged: counted('unchanged'), refused: counted('refused') }
  const events = await findRecorded(
    store.backgroundOf(tenantId),
    tenantId,
    outcomes.flatMap(({ audit_event_id: event }) => (event === null ? [] : [event])),
  )
  if (outcomes.length !== size || events !== counts.changed)
    throw new AppError(
      'conflict',
      'The results of this bulk action and the audit log do not agree. Verify the audit log.',
    )
  const digest = digestOf(outcomes)
  const actor = systemActor('review', tenantId, bulk.correlation_id)
  const options = { permission: null, action: 'bulk_review.end' } as const
  const { value: eventId } = await change(store, actor, options, async (tx) => {
    await endBulk(
      tx.db,
      { tenantId, id },
      {
        ended_at: tx.at,
        digest,
        read_back: JSON.stringify({ outcomes: outcomes.length, events, complete: true }),
      },
    )
    const predicateHash = bulk.predicate === null ? null : readPredicate(bulk.predicate).hash
    return tx.record({ subject: { type: 'bulk_review', id }, after: { ...counts, digest, predicateHash } })
  })
  await readBack(store.reader, tenantId, eventId)
  return counts
}

/** Returns a hash of every outcome with its event id, in the order of the selection. */
export function digestOf(outcomes: readonly OutcomeSummary[]): string {
  return sha256(
    outcomes.map(({ place, outcome, code, audit_event_id: event }) => [place, outcome, code, event].join()).join('\n'),
  )
}
