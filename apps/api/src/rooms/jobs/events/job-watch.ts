import type { Store } from '../../../store/store.ts'
import type { JobTable } from '../jobs.table.ts'

declare module '../../../store/change/signals.ts' {
  interface SignalMap {
    /** there is a job to claim */
    jobQueued: []
    /** somebody asked to cancel this running job */
    jobCancel: [jobId: string]
    /** this job has a new event */
    jobEvent: [jobId: string]
  }
}

/** What another process does to a job is told by nobody here, so the store is asked this often. */
const LOOK_EVERY_MS = 5_000

export type JobEnding = {
  status: Exclude<JobTable['status'], 'queued' | 'running'>
  error: { code: string; message: string } | null
}

/**
 * Tells once how a job came out, whoever ended it and whether or not it ever ran: for what a room keeps in memory or on disk for it.
 * Nothing is told after `stop`. A look at the store that fails is made again.
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
  // The store may be closing or busy: what is missed now is seen at the next look.
  const tryToLook = () => void look().catch(() => {})
  const onEvent = (id: string) => {
    if (id === jobId) tryToLook()
  }
  signals.on('jobEvent', onEvent)
  const looks = setInterval(tryToLook, LOOK_EVERY_MS).unref()
  return { stop }
}
