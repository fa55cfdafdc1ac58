import type { Store } from '../../../store/store.ts'
import { hasEnded } from '../jobs.rules.ts'
import type { JobTable } from '../jobs.table.ts'

declare module '../../../store/change/signals.ts' {
  interface SignalMap {
    /** a job was queued that a worker can claim */
    jobQueued: []
    /** cancellation of this running job was requested */
    jobCancel: [jobId: string]
    /** an event of this job was written */
    jobEvent: [jobId: string]
  }
}

/** Poll interval, because changes by other processes emit no signal in this process. */
const LOOK_EVERY_MS = 5_000

export type JobEnding = {
  status: Exclude<JobTable['status'], 'queued' | 'running'>
  error: { code: string; message: string } | null
}

type Watched = { tenantId: string; told: (ending: JobEnding) => void }
type JobWatch = { add(jobId: string, watched: Watched): void; remove(jobId: string, watched: Watched): void }

const byStore = new WeakMap<Store, JobWatch>()

/**
 * Calls `told` once when a job ends, whichever process ends it, even if the job never ran. Rooms use it to release the data in memory or on disk that
 * this process stores for the job; a row of the store is ended by `onEnd` of the kind instead. Nothing is reported after `stop`. A failed read of the
 * store is retried. A job can be watched once at a time.
 */
export function watchJob(
  store: Store,
  { tenantId, jobId }: { tenantId: string; jobId: string },
  told: (ending: JobEnding) => void,
): { stop: () => void } {
  const watch = byStore.get(store) ?? createJobWatch(store)
  byStore.set(store, watch)
  const watched = { tenantId, told }
  watch.add(jobId, watched)
  return { stop: () => watch.remove(jobId, watched) }
}

/** Creates the watch of a store: one listener, and one timer that polls all watched jobs, while there are any. */
function createJobWatch(store: Store): JobWatch {
  const { signals } = store
  const jobs = new Map<string, Watched>()
  let polls: NodeJS.Timeout | undefined

  async function look(tenantId: string, ids: readonly string[]): Promise<void> {
    const rows = await store.reader
      .selectFrom('jobs')
      .select(['id', 'status', 'error_code', 'error_message'])
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', ids)
      .execute()
    for (const { id, status, error_code: code, error_message: message } of rows) {
      const watched = jobs.get(id)
      if (watched === undefined || !hasEnded(status)) continue
      remove(id, watched)
      watched.told({ status, error: code === null ? null : { code, message: message ?? '' } })
    }
  }

  // A failure is ignored, because the store can be closing or busy and the next poll finds the change.
  const tryToLook = (tenantId: string, ids: readonly string[]) => void look(tenantId, ids).catch(() => {})

  function onEvent(id: string): void {
    const watched = jobs.get(id)
    if (watched !== undefined) tryToLook(watched.tenantId, [id])
  }

  function poll(): void {
    const byTenant = Map.groupBy(jobs, ([, { tenantId }]) => tenantId)
    for (const [tenantId, ofTenant] of byTenant)
      tryToLook(
        tenantId,
        ofTenant.map(([id]) => id),
      )
  }

  function add(id: string, watched: Watched): void {
    if (jobs.size === 0) {
      signals.on('jobEvent', onEvent)
      polls = setInterval(poll, LOOK_EVERY_MS).unref()
    }
    jobs.set(id, watched)
  }

  function remove(id: string, watched: Watched): void {
    if (jobs.get(id) !== watched) return
    jobs.delete(id)
    if (jobs.size > 0) return
    signals.off('jobEvent', onEvent)
    clearInterval(polls)
  }

  return { add, remove }
}
