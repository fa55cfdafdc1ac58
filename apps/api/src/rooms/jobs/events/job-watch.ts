import type { Store } from '../../../store/store.ts'
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

/**
 * Calls `told` once when a job ends, whichever process ends it, even if the job never ran. Rooms use it to release the data in memory or on disk that
 * they store for the job. Nothing is reported after `stop`. A failed read of the store is retried.
 */
export function watchJob(
  store: Store,
  { tenantId, jobId }: { tenantId: string; jobId: string },
  told: (ending: JobEnding) => void,
): { stop: () => void } {
  const { signals } = store
  let isOver = false
  const stop = () => {
    isOver = true
    signals.off('jobEvent', onEvent)
    clearInterval(looks)
  }
  const look = async () => {
    const job = await store.reader
      .selectFrom('jobs')
      .select(['status', 'error_code', 'error_message'])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', jobId)
      .executeTakeFirst()
    if (isOver || job === undefined || job.status === 'queued' || job.status === 'running') return
    stop()
    const { status, error_code: code, error_message: message } = job
    told({ status, error: code === null ? null : { code, message: message ?? '' } })
  }
  // A failure is ignored, because the store can be closing or busy and the next poll finds the change.
  const tryToLook = () => void look().catch(() => {})
  const onEvent = (id: string) => {
    if (id === jobId) tryToLook()
  }
  signals.on('jobEvent', onEvent)
  const looks = setInterval(tryToLook, LOOK_EVERY_MS).unref()
  return { stop }
}
