import type { Logger } from 'pino'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Store } from '../../../store/store.ts'
import type { JobTable } from '../jobs.table.ts'
import type { JobKinds } from '../kinds/job-kind.ts'
import type { Lease } from '../queue/job-writes.ts'

export type WorkerLog = Pick<Logger, 'info' | 'warn' | 'error'>

/** Times in milliseconds. Tests shorten them; an operator has nothing to choose here. */
export type WorkerTimes = {
  /** a worker whose beat stands still for so long is lost, and its jobs are taken up again */
  leaseMs: number
  beatMs: number
  /** how often the store is asked for what other processes did: jobs they queued, cancellations they took, leases they lost */
  lookMs: number
  /** progress is written at most this often */
  progressMs: number
  /** how long a job that must stop may take to do so, before it goes on without its lease */
  stopMs: number
}

export const workerTimes: WorkerTimes = {
  leaseMs: 10_000,
  beatMs: 2_500,
  lookMs: 1_000,
  progressMs: 500,
  stopMs: 4_000,
}

/** Jobs that one process runs at once, and those of one tenant among them. */
export const MAX_RUNNING = 8
export const MAX_RUNNING_PER_TENANT = 4

export type WorkerOptions = {
  store: Store
  kinds: JobKinds
  /** none unless the operator loaded some */
  adapters?: LoadedAdapters
  log: WorkerLog
  times?: Partial<WorkerTimes>
}

/** What a job is run with. */
export type Runner = { store: Store; kinds: JobKinds; adapters: LoadedAdapters; log: WorkerLog; times: WorkerTimes }
/** A job as it was claimed: its row from before, and the lease. */
export type ClaimedJob = { row: JobTable; lease: Lease }
