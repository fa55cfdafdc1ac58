import type { Logger } from 'pino'
import { change, unchanged } from '../../../store/change/change.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant, systemActor } from '../../identity/identity.ts'
import { selectDueTexts, updateObservation } from './observations.queries.ts'

const LOOK_EVERY_MS = 600_000
/** Number of pasted texts that are deleted per change. */
const AT_ONCE = 100

/**
 * Starts the loop that deletes pasted texts when the retention period of manual references ends. The observation and the hash of the text are kept.
 */
export function startDeletingTexts(store: Store, log: Pick<Logger, 'error'>) {
  return everyInOneProcess(store, {
    name: 'pasted DNS texts',
    ms: LOOK_EVERY_MS,
    work: () => deleteDueTexts(store),
    log,
    failed: 'failed to delete pasted DNS texts',
  })
}

export async function deleteDueTexts(store: Store): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    while (await deletePart(store, tenantId));
  })
}

async function deletePart(store: Store, tenantId: string): Promise<boolean> {
  const now = store.clock().toISOString()
  if ((await selectDueTexts(store.reader, tenantId, now, 1)).length === 0) return false
  const options = { permission: null, action: 'dns_observation.delete_text' } as const
  const { value } = await change(store, systemActor('domains', tenantId), options, async (tx) => {
    const ids = await selectDueTexts(tx.db, tenantId, now, AT_ONCE)
    if (ids.length === 0) return unchanged(false)
    await overwriteFreedPages(tx, async () => {
      for (const id of ids) await updateObservation(tx.db, tenantId, id, { raw: null, raw_deleted_at: tx.at })
    })
    await tx.record({ subject: { type: 'tenant', id: tenantId }, after: { texts: ids.length } })
    return ids.length === AT_ONCE
  })
  return value
}
