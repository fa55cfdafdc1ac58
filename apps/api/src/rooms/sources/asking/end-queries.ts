import type { Tx } from '../../../store/change/change.ts'
import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { EndOfJob } from '../../jobs/jobs.ts'
import type { Upkeep } from '../../room.ts'
import { endQuery, type OpenQuery, selectOpenOfJob, selectOpenOfNoJob } from './permits.queries.ts'

/** Ends the queries that a job left open, for `onEnd` of the kinds that ask sources. A request may have been sent, so none is repeated. */
export async function endQueriesOf(tx: Tx, { lineageId, status }: EndOfJob): Promise<void> {
  const open = await selectOpenOfJob(tx.db, tx.actor.tenantId, lineageId)
  await endAs(tx, open, status === 'cancelled' ? 'cancelled' : 'interrupted')
}

/** Ends queries that no job sends, such as the trial of a provider, after their process was lost. The queries of a job end with it. */
export const endQueriesOfNoJob: Upkeep<{ store: Store }> = {
  name: 'end queries whose process was lost',
  everyMs: 600_000,
  limit: 100,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('sources', context.tenantId),
      action: 'source.answer',
      due: selectOpenOfNoJob,
      apply: (tx, open) => endAs(tx, open, 'interrupted'),
    }),
}

async function endAs(tx: Tx, open: readonly OpenQuery[], reason: 'cancelled' | 'interrupted'): Promise<void> {
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
