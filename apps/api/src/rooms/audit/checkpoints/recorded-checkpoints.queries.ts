import type { Tx } from '../../../store/change/change.ts'
import type { Db } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import type { AuditCheckpointTable } from '../audit.table.ts'

/** Returns the newest recorded checkpoint of each tenant, in the order of line numbers. */
export function listRecordedCheckpoints(db: Db): Promise<AuditCheckpointTable[]> {
  return db.selectFrom('audit_checkpoints').selectAll().orderBy('number').execute()
}

/** Returns the sequence of the tenant's newest recorded checkpoint; 0 if there is none. */
export async function recordedSequence(db: Db, tenantId: string): Promise<number> {
  const row = await db
    .selectFrom('audit_checkpoints')
    .select('sequence')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.sequence ?? 0
}

/** Returns the tenant's newest recorded checkpoint; undefined if there is none. */
export function findRecordedCheckpoint(db: Db, tenantId: string): Promise<AuditCheckpointTable | undefined> {
  return db.selectFrom('audit_checkpoints').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst()
}

/**
 * Records checkpoints in the store. Call it after their lines are durable in the file. It does not use `change()`, because the rows contain no
 * decision.
 */
export async function recordCheckpoints(store: Store, rows: readonly AuditCheckpointTable[]): Promise<void> {
  await store.write('upkeep', async (db) => {
    for (const { tenant_id, ...newest } of rows)
      await db
        .insertInto('audit_checkpoints')
        .values({ tenant_id, ...newest })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(newest))
        .execute()
    return { keep: true, value: undefined }
  })
}

/** Deletes the tenant's recorded checkpoint, when the checkpoint file is restarted. Returns its sequence; 0 if there was none. */
export async function forgetCheckpoint({ db, actor: { tenantId } }: Tx): Promise<number> {
  const sequence = await recordedSequence(db, tenantId)
  await db.deleteFrom('audit_checkpoints').where('tenant_id', '=', tenantId).execute()
  return sequence
}
