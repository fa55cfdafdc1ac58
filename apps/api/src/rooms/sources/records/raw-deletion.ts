import { type Actor, actorKey } from '../../../lib/actor.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import type { Store } from '../../../store/store.ts'
import { getBusiness, inFamily } from '../../businesses/businesses.ts'
import { countHealth } from '../health/health.queries.ts'
import { type DueRaw, findRecord, selectDue, updateRaw } from './records.queries.ts'

/*
 * Deletion of raw texts. A raw text is deleted when its retention period ends, or earlier by a person with a reason. Its hash, attribution and
 * outcome stay. The store has no other copy of the text; earlier backups contain it until newer ones replace them.
 */

/** Number of raw texts that one change deletes. */
const AT_ONCE = 100
const ENDED = 'The retention class ended.'

/** Deletes the raw text of one record. Errors: `not_found`, `conflict` when there is none. */
export async function deleteRaw(
  tx: Tx,
  { businessId, sourceRecordId: recordId }: { businessId: string; sourceRecordId: string },
  reason: string,
): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  await getBusiness(tx.db, tenantId, businessId)
  const record = await inFamily(tx.db, { tenantId, businessId }, (one) => findRecord(tx.db, tenantId, one, recordId))
  if (record === undefined) throw notFound()
  if (record.raw === null) throw new AppError('conflict', 'This record has no raw text any more.')
  const due = { record_id: recordId, source_id: record.source.id, business_id: record.businessId }
  await overwriteFreedPages(tx, () => emptyRaw(tx, due, reason))
  return { id: recordId }
}

async function emptyRaw(
  tx: Tx,
  { record_id: recordId, source_id: sourceId, business_id: businessId }: DueRaw,
  reason: string,
) {
  const { tenantId } = tx.actor
  const deleted = { deleted_at: tx.at, deleted_by: actorKey(tx.actor), reason, failure: null }
  await updateRaw(tx.db, { tenantId, recordId }, { raw: null, state: 'deleted', ...deleted })
  await countHealth(tx.db, { tenantId, sourceId }, tx.at, { raw_deleted: 1 })
  await tx.record({
    action: 'source_record.delete_raw',
    subject: { type: 'source_record', id: recordId },
    businessId,
    after: { rawState: 'deleted' },
    reason,
  })
}

export type Swept = { deleted: number; failed: number }

/**
 * Deletes every raw text whose retention period has ended, in changes of limited size. A failed deletion is stored with its reason and retried by the
 * next run. It does not stop the others.
 */
export async function deleteDueRaws(
  store: Store,
  actor: Actor,
  onPart: (swept: Swept) => void = () => {},
): Promise<Swept> {
  const { tenantId } = actor
  const swept = { deleted: 0, failed: 0 }
  let after = ''
  for (;;) {
    const now = store.clock().toISOString()
    const due = await selectDue(store.reader, tenantId, { now, after, limit: AT_ONCE })
    const last = due.at(-1)
    if (last === undefined) return swept
    await deletePart(store, actor, due, swept)
    onPart(swept)
    after = last.record_id
  }
}

async function deletePart(store: Store, actor: Actor, due: readonly DueRaw[], swept: Swept): Promise<void> {
  try {
    await deleteTogether(store, actor, due)
    swept.deleted += due.length
  } catch {
    // Deletes each text in its own change, because the failure of one text rolled back the change of all.
    for (const one of due) {
      try {
        await deleteTogether(store, actor, [one])
        swept.deleted += 1
      } catch (error) {
        await markFailed(store, actor, one, error)
        swept.failed += 1
      }
    }
  }
}

async function deleteTogether(store: Store, actor: Actor, due: readonly DueRaw[]): Promise<void> {
  const options = { permission: 'sources.delete_raw', action: 'source_record.delete_raw' } as const
  await change(store, actor, options, async (tx) => {
    if (due.length === 0) return unchanged(null)
    await overwriteFreedPages(tx, async () => {
      for (const one of due) await emptyRaw(tx, one, ENDED)
    })
    return null
  })
}

/** Stores a failed deletion and the time of its next attempt on the record. The record gets only the kind of failure; its cause is in the log. */
async function markFailed(store: Store, actor: Actor, one: DueRaw, error: unknown): Promise<void> {
  const { tenantId } = actor
  const failure = error instanceof AppError ? error.code : 'store_error'
  const options = { permission: 'sources.delete_raw', action: 'source_record.fail_deletion' } as const
  await change(store, actor, options, async (tx) => {
    await updateRaw(
      tx.db,
      { tenantId, recordId: one.record_id },
      { state: 'failed', failure: `${failure} at ${tx.at}` },
    )
    await countHealth(tx.db, { tenantId, sourceId: one.source_id }, tx.at, { raw_failed: 1 })
    await tx.record({
      subject: { type: 'source_record', id: one.record_id },
      businessId: one.business_id,
      after: { rawState: 'failed', failure },
    })
  })
}
