import type { Kysely } from 'kysely'
import { newId } from '../../../lib/ids.ts'
import { noAdapters } from '../../../load-adapters.ts'
import type { Database } from '../../../store/database.ts'
import { createProcessMarks } from '../../../store/files/process-marks.ts'
import { JOB_WORKERS_FOLDER } from '../../../store/files/store-files.ts'
import type { JobTable } from '../jobs.table.ts'
import { type RunningJob, runJob } from './run-job.ts'
import { claimOldest, findTurn } from './worker-claims.ts'
import { createLossWatch, moveBeat, reclaimJob, registerWorker, removeWorker, selectRunning } from './worker-leases.ts'
import { type ClaimedJob, MAX_RUNNING, type Runner, type WorkerOptions, workerTimes } from './worker-options.ts'

export type JobWorker = {
  /** Stops claiming jobs. Running jobs stop after their next checkpoint or are queued again. Takes at most `stopMs` and the time of a few commits. */
  stop(): Promise<void>
}

type Held = ClaimedJob & { run: RunningJob }

const claimOf = (jobId: string, claim: number): string => `${jobId} ${claim}`

/**
 * Runs the jobs of a store in this process. It claims jobs from one tenant after the other, renews their leases, resumes the jobs of lost workers,
 * and cancels jobs on request. Several processes can do so on one store. The worker's own writes are bookkeeping without `change()`; the effects of
 * jobs use `change()`.
 */
export function startJobWorker({
  store,
  kinds,
  adapters = noAdapters,
  rooms = [],
  log,
  times: chosen = {},
}: WorkerOptions): JobWorker {
  const times = { ...workerTimes, ...chosen }
  const runner: Runner = { store, kinds, adapters, rooms, log, times }
  const { signals } = store
  const marks = createProcessMarks(store.dataDir, JOB_WORKERS_FOLDER)
  const losses = createLossWatch(store, marks, times.leaseMs)
  /** by claim, not by job: a job that was taken over and claimed again runs beside its former run until that run ends */
  const held = new Map<string, Held>()
  /** the name under which this worker has its leases; undefined before the first lease */
  let self: string | undefined
  let isStopping = false
  /** the tenant whose job was claimed last */
  let turn = ''
  let claiming: Promise<void> | undefined
  let looking: Promise<void> | undefined
  let claimAgain = false

  const onCancel = (jobId: string) => {
    for (const { row, run } of held.values()) if (row.id === jobId) run.interrupt('cancelled')
  }
  const wake = () => {
    claimAgain = true
    claiming ??= claimAll().finally(() => {
      claiming = undefined
    })
  }
  const look = () => {
    looking ??= lookAround()
      .catch((error: unknown) => log.warn({ err: error }, 'the job worker could not read the store'))
      .finally(() => {
        looking = undefined
      })
  }
  signals.on('jobQueued', wake)
  signals.on('jobCancel', onCancel)
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

  /** claims as many jobs as there are free slots, from one tenant after the other, in one commit */
  async function claimSome(): Promise<number> {
    const room = MAX_RUNNING - held.size
    if (room <= 0) return 0
    return store.write('workers', async (db) => {
      const running = [...held.values()].map(({ lease }) => lease.tenantId)
      let tenantId = await findTurn(db, turn, running)
      if (tenantId === undefined) return { keep: false, value: 0 }
      const at = store.clock().toISOString()
      const owner = await showAlive(db, at)
      const claimed: ClaimedJob[] = []
      while (tenantId !== undefined && claimed.length < room) {
        const next = await claimOldest(db, { tenantId, owner, at })
        if (next === undefined) break
        claimed.push(next)
        running.push(tenantId)
        turn = tenantId
        tenantId = await findTurn(db, turn, running)
      }
      const begin = () => {
        if (owner !== self) beginAnew(owner)
        for (const one of claimed) start(one)
      }
      return { keep: true, value: claimed.length, afterCommit: [begin] }
    })
  }

  /**
   * Increments the heartbeat counter, because a claim proves that the worker is alive. Returns the name under which to claim. A worker that was
   * declared lost gets another name.
   */
  async function showAlive(db: Kysely<Database>, at: string): Promise<string> {
    if (self !== undefined && (await moveBeat(db, self))) return self
    const owner = newId()
    // Locks the mark of the new name before any process can read the name. An existing mark that is not locked means that its process is dead.
    marks.hold(owner)
    await registerWorker(db, owner, at)
    return owner
  }

  function start(claimed: ClaimedJob): void {
    const { row, lease } = claimed
    const run = runJob(runner, claimed)
    held.set(claimOf(lease.jobId, lease.claim), { ...claimed, run })
    signals.emit('jobEvent', row.id)
    void run.done.then(() => {
      held.delete(claimOf(lease.jobId, lease.claim))
      wake()
    })
  }

  async function beat(): Promise<void> {
    const name = self
    if (held.size === 0 || name === undefined) return
    try {
      const isAlive = await store.write('workers', async (db) => {
        const moved = await moveBeat(db, name)
        return { keep: moved, value: moved }
      })
      // Does nothing if a claim in the same commit has already taken a new name.
      if (!isAlive && self === name) beginAnew(undefined)
    } catch (error) {
      log.warn({ err: error }, 'the job worker could not renew its leases')
    }
  }

  /** Continues under another name after this worker was declared lost. Other workers have taken over the jobs of the old name. */
  function beginAnew(owner: string | undefined): void {
    if (held.size > 0)
      log.warn({ jobs: [...held.values()].map(({ row }) => row.id) }, 'this job worker was declared lost')
    for (const { run } of held.values()) run.interrupt('lease_lost')
    self = owner
  }

  /** finds changes by other processes: to jobs that run here, lost workers, and queued jobs */
  async function lookAround(): Promise<void> {
    if (self !== undefined) await lookAtOwn(self)
    for (const lost of await losses.findLost(self)) {
      for (const row of await selectRunning(store.reader, lost)) {
        log.warn({ job: row.id, kind: row.kind }, 'a job of a lost worker was resumed')
        await reclaim(row)
      }
    }
    if (!isStopping) wake()
  }

  /** Takes over a job. Never throws, because a job whose end cannot be written must not stop the others; the next search tries again. */
  async function reclaim(row: JobTable): Promise<void> {
    try {
      await reclaimJob(runner, row)
    } catch (error) {
      log.error({ err: error, job: row.id, kind: row.kind }, 'a job could not be taken over')
    }
  }

  async function lookAtOwn(name: string): Promise<void> {
    const heldBefore = [...held.values()]
    const owned = await selectRunning(store.reader, name)
    for (const { lease, run } of heldBefore) {
      const now = owned.find(({ id, claim }) => id === lease.jobId && claim === lease.claim)
      if (now === undefined) run.interrupt('lease_lost')
      else if (now.cancel_requested_at !== null) run.interrupt('cancelled')
    }
    // Takes over jobs that this worker owns but no longer runs. Their end could not be written, perhaps because the disk was full.
    for (const row of owned) if (!held.has(claimOf(row.id, row.claim))) await reclaim(row)
  }

  return {
    stop: async () => {
      isStopping = true
      clearInterval(looks)
      signals.off('jobQueued', wake)
      signals.off('jobCancel', onCancel)
      await Promise.all([claiming, looking])
      for (const { run } of held.values()) run.interrupt('shutdown')
      await Promise.all([...held.values()].map(({ run }) => run.done))
      clearInterval(beats)
      if (self !== undefined) await removeWorker(store, self)
      marks.release()
    },
  }
}
