import { newId } from '../../lib/ids.ts'
import { jobSignals } from './job-signals.ts'
import { appendEvent, claimJob, findNextTenant, findOldestQueued } from './job-writes.ts'
import { type RunningJob, runJob } from './run-job.ts'
import { createLossWatch, moveBeat, reclaimJob, registerWorker, removeWorker, selectRunning } from './worker-leases.ts'
import {
  type ClaimedJob,
  MAX_RUNNING,
  MAX_RUNNING_PER_TENANT,
  type Runner,
  type WorkerOptions,
  workerTimes,
} from './worker-options.ts'

export type JobWorker = {
  /** Claims no more, lets running jobs reach a checkpoint or hands them back, within `stopMs` and the time of a few commits. */
  stop(): Promise<void>
}

type Held = ClaimedJob & { run: RunningJob }

/**
 * Runs the jobs of a store in this process: claims them in turn between tenants, keeps their leases, takes up those of workers that were
 * lost, cancels what is to be cancelled. Several processes may do so on one store. Its writes are bookkeeping and have this door of their
 * own; what a job does goes through `change()` as everything else.
 */
export function startJobWorker({ store, kinds, log, times: chosen = {} }: WorkerOptions): JobWorker {
  const times = { ...workerTimes, ...chosen }
  const runner: Runner = { store, kinds, log, times }
  const signals = jobSignals(store.writer)
  const losses = createLossWatch(store, times.leaseMs)
  const held = new Map<string, Held>()
  let self = newId()
  let isRegistered = false
  let isStopping = false
  /** the tenant that had the last turn */
  let turn = ''
  let claiming: Promise<void> | undefined
  let looking: Promise<void> | undefined
  let claimAgain = false

  const onCancel = (jobId: string) => held.get(jobId)?.run.interrupt('cancelled')
  const wake = () => {
    claimAgain = true
    claiming ??= claimAll().finally(() => {
      claiming = undefined
    })
  }
  const look = () => {
    looking ??= lookAround()
      .catch((error: unknown) => log.warn({ err: error }, 'the job worker could not look at the store'))
      .finally(() => {
        looking = undefined
      })
  }
  signals.on('queued', wake)
  signals.on('cancel', onCancel)
  const beats = setInterval(() => void beat(), times.beatMs)
  const looks = setInterval(look, times.lookMs)
  look()

  async function claimAll(): Promise<void> {
    try {
      while (claimAgain && !isStopping) {
        claimAgain = false
        if ((await claimSome()) > 0) claimAgain = true
      }
    } catch (error) {
      log.warn({ err: error }, 'jobs could not be claimed')
    }
  }

  /** Claims as many as there is room for, a tenant after the other, in one commit. */
  async function claimSome(): Promise<number> {
    const room = MAX_RUNNING - held.size
    if (room <= 0) return 0
    return store.writes.write(async () => {
      const at = store.clock().toISOString()
      const claimed: ClaimedJob[] = []
      while (claimed.length < room) {
        const next = await claimNext(at, claimed)
        if (next === undefined) break
        claimed.push(next)
      }
      if (claimed.length === 0) return { keep: false, value: 0 }
      await showAlive(at)
      return { keep: true, value: claimed.length, afterCommit: [() => claimed.forEach(start)] }
    })
  }

  async function claimNext(at: string, claimed: readonly ClaimedJob[]): Promise<ClaimedJob | undefined> {
    const busy = new Map<string, number>()
    for (const { lease } of [...held.values(), ...claimed])
      busy.set(lease.tenantId, (busy.get(lease.tenantId) ?? 0) + 1)
    for (let asked = 0; asked <= busy.size; asked++) {
      const tenantId = (await findNextTenant(store.writer, turn)) ?? (await findNextTenant(store.writer, ''))
      if (tenantId === undefined) return undefined
      turn = tenantId
      if ((busy.get(tenantId) ?? 0) >= MAX_RUNNING_PER_TENANT) continue
      return claimOldest(tenantId, at)
    }
    return undefined
  }

  async function claimOldest(tenantId: string, at: string): Promise<ClaimedJob | undefined> {
    const row = await findOldestQueued(store.writer, tenantId)
    if (row === undefined) return undefined
    const job = { tenantId, jobId: row.id, owner: self }
    const given = await claimJob(store.writer, { ...job, at })
    if (given === undefined) return undefined
    const { claim, sequence } = given
    await appendEvent(store.writer, { ...job, sequence }, { type: 'started', at, data: { claim } })
    return { row, lease: { ...job, claim } }
  }

  /** A claim counts as a beat. Whoever was taken for lost meanwhile has nobody's trust in that name any more. */
  async function showAlive(at: string): Promise<void> {
    if (isRegistered && (await moveBeat(store.writer, self))) return
    await registerWorker(store.writer, self, at)
    isRegistered = true
  }

  function start(claimed: ClaimedJob): void {
    const { row } = claimed
    const run = runJob(runner, claimed)
    held.set(row.id, { ...claimed, run })
    signals.emit('event', row.id)
    void run.done.then(() => {
      held.delete(row.id)
      wake()
    })
  }

  async function beat(): Promise<void> {
    if (held.size === 0) return
    try {
      const isAlive = await store.writes.write(async () => {
        const moved = await moveBeat(store.writer, self)
        return { keep: moved, value: moved }
      })
      if (!isAlive) beginAnew()
    } catch (error) {
      log.warn({ err: error }, 'the job worker could not show that it lives')
    }
  }

  function beginAnew(): void {
    log.warn({ jobs: [...held.keys()] }, 'this job worker was taken for lost')
    for (const { run } of held.values()) run.interrupt('lease_lost')
    self = newId()
    isRegistered = false
  }

  /** What others did to the jobs that run here, what others lost, and what others queued. */
  async function lookAround(): Promise<void> {
    const owned = await selectRunning(store.reader, self)
    for (const row of owned) {
      const mine = held.get(row.id)
      if (mine === undefined) await reclaimJob(runner, row)
      else if (row.cancel_requested_at !== null) mine.run.interrupt('cancelled')
    }
    for (const lost of await losses.findLost(self)) {
      for (const row of await selectRunning(store.reader, lost)) {
        log.warn({ job: row.id, kind: row.kind }, 'a job was taken up from a worker that is lost')
        await reclaimJob(runner, row)
      }
    }
    if (!isStopping) wake()
  }

  return {
    stop: async () => {
      isStopping = true
      clearInterval(looks)
      signals.off('queued', wake)
      signals.off('cancel', onCancel)
      await Promise.all([claiming, looking])
      for (const { run } of held.values()) run.interrupt('shutdown')
      await Promise.all([...held.values()].map(({ run }) => run.done))
      clearInterval(beats)
      if (isRegistered) await removeWorker(store, self)
    },
  }
}
