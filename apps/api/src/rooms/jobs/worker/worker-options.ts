import type { Logger } from 'pino'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Store } from '../../../store/store.ts'
import type { JobTable } from '../jobs.table.ts'
import type { JobKinds } from '../kinds/job-kind.ts'
import type { Lease } from '../queue/job-writes.ts'

export type WorkerLog = Pick<Logger, 'info' | 'warn' | 'error'>

/** Times in milliseconds. Tests shorten them; they are not configurable. */
export type WorkerTimes = {
  /** a worker with an unchanged heartbeat for this time is lost, and its jobs are resumed */
  leaseMs: number
  beatMs: number
  /** poll interval for changes by other processes: queued jobs, cancellations, lost leases */
  lookMs: number
  /** minimum interval between writes of progress */
  progressMs: number
  /** time for a job to stop on request before its lease is released */
  stopMs: number
}

export const workerTimes: WorkerTimes = {
  leaseMs: 10_000,
  beatMs: 2_500,
  lookMs: 1_000,
  progressMs: 500,
  stopMs: 4_000,
}

/** Maximum number of jobs that one process runs at once, and of one tenant among them. */
export const MAX_RUNNING = 8
export const MAX_RUNNING_PER_TENANT = 4

export type WorkerOptions = {
  store: Store
  kinds: JobKinds
  /** none unless the operator loaded adapters */
  adapters?: LoadedAdapters
  log: WorkerLog
  times?: Partial<WorkerTimes>
}

/** Dependencies of a running job. */
export type Runner = { store: Store; kinds: JobKinds; adapters: LoadedAdapters; log: WorkerLog; times: WorkerTimes }
/** A claimed job: its row from before the claim, and the lease. */
export type ClaimedJob = { row: JobTable; lease: Lease }
