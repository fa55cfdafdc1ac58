import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { EndOfJob } from '../../jobs/jobs.ts'
import { endQuery, selectOpenOfJob, selectOpenOfNoJob } from './permits.queries.ts'

const AT_ONCE = 100

/** Ends the queries that a job left open, for `onEnd` of the kinds that ask sources. A request may have been sent, so none is repeated. */
export async function endQueriesOf(tx: Tx, { lineageId, status }: EndOfJob): Promise<void> {
  const open = await selectOpenOfJob(tx.db, tx.actor.tenantId, lineageId)
  await endAs(tx, open, status === 'cancelled' ? 'cancelled' : 'interrupted')
}

/**
 * Ends queries that no job sends, such as the trial of a provider, after their process was lost. Repeats until none is left. The queries of a job end
 * with it.
 */
export async function endQueriesOfNoJob(store: Store, tenantId: string): Promise<void> {
  const now = store.clock().toISOString()
  let count: number
  do {
    if ((await selectOpenOfNoJob(store.reader, tenantId, now, 1)).length === 0) return
    const actor = systemActor('sources', tenantId)
    const { value } = await change(store, actor, { permission: null, action: 'source.answer' }, async (tx) => {
      const open = await selectOpenOfNoJob(tx.db, tenantId, now, AT_ONCE)
      await endAs(tx, open, 'interrupted')
      return open.length === 0 ? unchanged(0) : open.length
    })
    count = value
  } while (count === AT_ONCE)
}

async function endAs(
  tx: Tx,
  open: Awaited<ReturnType<typeof selectOpenOfJob>>,
  reason: 'cancelled' | 'interrupted',
): Promise<void> {
  const { tenantId } = tx.actor
  const outcome = { outcome: 'unavailable', reason } as const
  for (const { id, source_id: sourceId, number, purpose, business_id: businessId } of open) {
    await endQuery(tx.db, { tenantId, id, outcome: JSON.stringify(outcome), at: tx.at })
    await tx.record({
      action: 'source.answer',
      subject: { type: 'source', id: sourceId },
      ...(businessId === null ? {} : { businessId }),
      after: { queryId: id, contractVersion: number, purpose, ...outcome },
    })
  }
}
