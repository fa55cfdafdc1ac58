/** Reason for which a job stops before it is done. */
export type Interruption = 'cancelled' | 'timeout' | 'lease_lost' | 'shutdown'

/** Thrown by `checkpoint` and `effect` if the job must stop; do not catch it. It is also the reason of the context's signal. */
export class JobInterrupted extends Error {
  readonly interruption: Interruption
  constructor(interruption: Interruption) {
    super(`The job must stop: ${interruption}.`)
    this.name = 'JobInterrupted'
    this.interruption = interruption
  }
}

export type JobProgress = { done: number; total: number | null; unit: string }
