import type { Actor } from '../../../lib/actor.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { readObject } from '../../../store/json-column.ts'
import { backgroundStore } from '../../../store/store.ts'
import { isSystemActor } from '../../facts.ts'
import type { JobContext, JobKind } from '../kinds/job-kind.ts'
import { appendEvent, progressColumns, updateLeased } from '../queue/job-writes.ts'
import { actorOf } from './job-actor.ts'
import { type Claim, type Effect, effectOf } from './job-effect.ts'
import { JobInterrupted, type JobProgress } from './job-interrupted.ts'
import type { ClaimedJob, Runner } from './worker-options.ts'

/** Maximum size of a checkpoint. A checkpoint is a position to resume from; results belong in tables. */
export const MAX_CHECKPOINT_BYTES = 16 * 1024

/** Creates the context in which the handler of a claimed job runs. `close` waits for pending writes; progress that is reported later is ignored. */
export function createJobContext(
  runner: Runner,
  { row, lease }: ClaimedJob,
  kind: JobKind,
  controller: AbortController,
) {
  const { adapters, rooms, times } = runner
  // A job that a person started gets more of the event loop, because the person waits for it.
  const store = backgroundStore(runner.store, isSystemActor(row.actor) ? 'derived' : 'requested')
  const { signal } = controller
  const { tenantId, jobId } = lease
  let newest: JobProgress | null = null
  let unwritten = false
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function requireToGoOn(): void {
    if (signal.aborted) throw interrupted(signal)
  }

  function loseLease(): JobInterrupted {
    controller.abort(new JobInterrupted('lease_lost'))
    return interrupted(signal)
  }

  function progress(told: JobProgress): void {
    newest = { done: whole(told.done), total: told.total === null ? null : whole(told.total), unit: told.unit }
    unwritten = true
    if (timer === undefined && !isClosed) write()
  }

  /** writes progress at once, and then at most once per interval; at the end of an interval the newest value is written */
  function write(): void {
    timer = setTimeout(() => {
      timer = undefined
      if (unwritten && !isClosed) write()
    }, times.progressMs)
    timer.unref()
    writing = writing.then(writeProgress)
  }

  async function writeProgress(): Promise<void> {
    const told = newest
    if (told === null || isClosed) return
    unwritten = false
    try {
      await bookkeep('progress', progressColumns(told), { ...told })
    } catch (error) {
      if (!(error instanceof JobInterrupted)) runner.log.warn({ err: error, job: jobId }, 'progress was not written')
    }
  }

  /** updates the row of the job and inserts an event, if the worker still has the lease */
  async function bookkeep(
    type: 'progress' | 'checkpoint',
    columns: Parameters<typeof updateLeased>[2],
    data: JsonObject,
  ): Promise<void> {
    const isHeld = await store.write({ tenantId }, async (db) => {
      const sequence = await updateLeased(db, lease, columns)
      if (sequence === undefined) return { keep: false, value: false }
      await appendEvent(db, { ...lease, sequence }, { type, at: store.clock().toISOString(), data })
      return { keep: true, value: true, afterCommit: [() => store.signals.emit('jobEvent', jobId)] }
    })
    if (!isHeld) throw loseLease()
  }

  async function checkpoint(state: JsonObject): Promise<void> {
    const checkpoint_json = JSON.stringify(state)
    if (Buffer.byteLength(checkpoint_json) > MAX_CHECKPOINT_BYTES) {
      throw new Error(`A checkpoint may have ${MAX_CHECKPOINT_BYTES} bytes; this one is larger.`)
    }
    const told = newest
    unwritten = false
    await bookkeep(
      'checkpoint',
      { checkpoint_json, ...progressColumns(told) },
      { state, ...(told !== null && { progress: told }) },
    )
    requireToGoOn()
  }

  const effect: Effect = async (step, { action }, work) => {
    const { claim, actor } = await lend()
    try {
      return await effectOf(store, claim, actor, { step, action }, work)
    } catch (error) {
      throw error instanceof JobInterrupted ? loseLease() : error
    }
  }

  async function lend(): Promise<{ claim: Claim; actor: Actor }> {
    requireToGoOn()
    const claim = { lease, lineageId: row.lineage_id, permission: kind.permission }
    return { claim, actor: await actorOf(runner, row, kind) }
  }

  const context = (actor: Actor): JobContext => ({
    store,
    adapters,
    rooms,
    tenantId,
    jobId,
    lineageId: row.lineage_id,
    attempt: row.attempt,
    actor,
    signal,
    resume: row.checkpoint_json === null ? null : readObject(row.checkpoint_json),
    progress,
    checkpoint,
    effect,
    lend,
  })

  return {
    context,
    newestProgress: () => newest,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await writing
    },
  }
}

function interrupted(signal: AbortSignal): JobInterrupted {
  return signal.reason instanceof JobInterrupted ? signal.reason : new JobInterrupted('lease_lost')
}

function whole(number: number): number {
  return Math.max(0, Math.round(number))
}
