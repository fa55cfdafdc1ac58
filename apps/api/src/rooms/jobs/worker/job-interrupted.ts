/** Reasons for which a job is stopped before it is done. */
export type Interruption = 'cancelled' | 'timeout' | 'lease_lost' | 'shutdown'

/** Error that `checkpoint` and `effect` throw if the job must stop. Handlers must not catch it. It is also the reason of the context's signal. */
export class JobInterrupted extends Error {
  readonly interruption: Interruption
  constructor(interruption: Interruption) {
    super(`The job must stop: ${interruption}.`)
    this.name = 'JobInterrupted'
    this.interruption = interruption
  }
}

export type JobProgress = { done: number; total: number | null; unit: string }
