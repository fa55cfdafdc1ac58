import type { Logger } from 'pino'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Store } from '../../../store/store.ts'
import type { HoldingRoom } from '../../held.ts'
import type { JobTable } from '../jobs.table.ts'
import type { JobKinds } from '../kinds/job-kind.ts'
import type { Lease } from '../queue/job-writes.ts'

export type WorkerLog = Pick<Logger, 'info' | 'warn' | 'error'>

/** Times in milliseconds. They cannot be configured; tests use shorter ones. */
export type WorkerTimes = {
  /** time after which a worker with the same heartbeat counter is lost, and its jobs are resumed */
  leaseMs: number
  beatMs: number
  /** interval of the search for changes by other processes: queued jobs, cancellations, lost leases */
  lookMs: number
  /** minimum interval between writes of progress */
  progressMs: number
  /** time that a job has to stop after a request; then its lease is released */
  stopMs: number
}

export const workerTimes: WorkerTimes = {
  leaseMs: 10_000,
  beatMs: 2_500,
  lookMs: 1_000,
  progressMs: 500,
  stopMs: 4_000,
}

/** Maximum number of jobs that one process runs at once, and that it runs for one tenant. */
export const MAX_RUNNING = 8
export const MAX_RUNNING_PER_TENANT = 4

export type WorkerOptions = {
  store: Store
  kinds: JobKinds
  /** by default no adapters */
  adapters?: LoadedAdapters
  /** by default none */
  rooms?: readonly HoldingRoom[]
  log: WorkerLog
  times?: Partial<WorkerTimes>
}

/** Everything that running a job needs. */
export type Runner = {
  store: Store
  kinds: JobKinds
  adapters: LoadedAdapters
  rooms: readonly HoldingRoom[]
  log: WorkerLog
  times: WorkerTimes
}
/** A claimed job. `row`: its row as it was before the claim. */
export type ClaimedJob = { row: JobTable; lease: Lease }
