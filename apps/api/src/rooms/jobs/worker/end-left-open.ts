import type { Logger } from 'pino'
import { change, unchanged } from '../../../store/change/change.ts'
import { readObject } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant, systemActor } from '../../identity/identity.ts'
import { getNewestAttempt } from '../jobs.queries.ts'
import { hasEnded } from '../jobs.rules.ts'
import type { JobTable } from '../jobs.table.ts'
import type { JobKind, JobKinds } from '../kinds/job-kind.ts'
import { queuedJobQuota } from '../queue/create-job.ts'

/** Number of open requests that are read at once. Larger than the queue of a tenant, so that a full queue does not hide a request that was left. */
const LOOKED_AT = queuedJobQuota.max + 500

/**
 * Ends the requests whose job ended under a version of this program that ended requests by a sweep some time after their jobs. Runs once at the start
 * and finds nothing from the second start on, because `onEnd` runs in the transaction that ends a job. It is no migration, because each end is a
 * change with its audit event. A failure for one tenant is logged, and the next start tries again.
 */
export async function endLeftOpen(store: Store, kinds: JobKinds, log: Pick<Logger, 'error'>): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    for (const kind of kinds.values()) await endOfKind(store, kind, tenantId)
  }).catch((error: unknown) => log.error({ err: error }, 'a request whose job has ended was not ended'))
}

async function endOfKind(store: Store, kind: JobKind, tenantId: string): Promise<void> {
  for (;;) {
    const lineages = (await kind.openRequests?.(store.reader, tenantId, LOOKED_AT)) ?? []
    let ended = 0
    for (const lineageId of lineages) {
      const job = await getNewestAttempt(store.reader, tenantId, lineageId)
      if (await endRequest(store, kind, job)) ended += 1
    }
    if (ended === 0 || lineages.length < LOOKED_AT) return
  }
}

/** Returns true if the job has ended and its request was open. No retry can start the job meanwhile, because no request is served yet. */
async function endRequest(store: Store, kind: JobKind, job: JobTable): Promise<boolean> {
  const { tenant_id, status, input_json, lineage_id: lineageId } = job
  if (!hasEnded(status)) return false
  const actor = systemActor('job worker', tenant_id)
  const { value } = await change(store, actor, { permission: null, action: 'job.end' }, async (tx) => {
    let events = 0
    const record: typeof tx.record = (event) => {
      events += 1
      return tx.record(event)
    }
    await kind.onEnd({ ...tx, record }, readObject(input_json), { status, lineageId })
    return events > 0 || unchanged(false)
  })
  return value
}
