import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../lib/app-error.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { numeral } from '../../../lib/numeral.ts'
import { readObject } from '../../../store/json-column.ts'
import type { JobTable } from '../jobs.table.ts'
import type { JobKind } from '../kinds/job-kind.ts'
import { actorOf } from './job-actor.ts'
import { createJobContext } from './job-context.ts'
import { endJob, type Outcome, requeueJob } from './job-end.ts'
import { type Interruption, JobInterrupted } from './job-interrupted.ts'
import type { ClaimedJob, Runner } from './worker-options.ts'

export type RunningJob = { done: Promise<void>; interrupt(why: Interruption): void }

/** Result of a handler that did not stop in time after it was requested to. */
const overrun = Symbol('overrun')

/** Runs a claimed job to its end. Never throws, because a fault of one kind must not stop the worker. */
export function runJob(runner: Runner, claimed: ClaimedJob): RunningJob {
  const controller = new AbortController()
  const interrupt = (why: Interruption) => controller.abort(new JobInterrupted(why))
  const done = runToEnd(runner, claimed, controller).catch((error: unknown) => {
    runner.log.error({ err: error, job: claimed.row.id, kind: claimed.row.kind }, 'the end of a job was not written')
  })
  return { done, interrupt }
}

async function runToEnd(runner: Runner, claimed: ClaimedJob, controller: AbortController): Promise<void> {
  const { row, lease } = claimed
  const { signal } = controller
  const kind = runner.kinds.get(row.kind)
  if (kind === undefined) {
    const error = { code: 'kind_unknown', message: 'This version does not know jobs of this kind.' }
    await endJob(runner, claimed, { outcome: { status: 'failed', error, isFinal: true }, progress: null })
    return
  }
  const { context, newestProgress, close } = createJobContext(runner, claimed, kind, controller)
  const timeout = setTimeout(() => controller.abort(new JobInterrupted('timeout')), kind.timeoutMs)
  let outcome: Outcome
  try {
    const actor = await actorOf(runner, row, kind)
    const running = kind.run(context(actor), readObject(row.input_json))
    const result = await Promise.race([running, overrunAfter(signal, runner.times.stopMs)])
    if (result === overrun) {
      // The result of this run is discarded, and its later writes are refused, because it no longer has the lease.
      running.catch(() => {})
      runner.log.warn({ job: row.id, kind: row.kind }, 'a job did not stop when it had to')
      outcome = interruptedBy(signal, kind)
    } else outcome = succeeded(result)
  } catch (error) {
    outcome = outcomeOf(runner, row, kind, signal, error)
  } finally {
    clearTimeout(timeout)
  }
  await close()
  const progress = newestProgress()
  if (outcome.status === 'lost') return
  if (outcome.status === 'handed_back') await requeueJob(runner, lease, { type: 'handed_back', progress })
  else await endJob(runner, claimed, { outcome, progress })
}

/** Resolves `ms` after the job was requested to stop. Never resolves if it was not. */
function overrunAfter(signal: AbortSignal, ms: number): Promise<typeof overrun> {
  return new Promise((resolve) => {
    const wait = () => void delay(ms, overrun, { ref: false }).then(resolve)
    if (signal.aborted) wait()
    else signal.addEventListener('abort', wait, { once: true })
  })
}

/** Maximum size of a job's result. A kind with more data stores it in its own table. */
export const MAX_RESULT_BYTES = 16 * 1024

function succeeded(result: JsonObject | null): Outcome {
  if (result !== null && Buffer.byteLength(JSON.stringify(result)) > MAX_RESULT_BYTES) {
    const message = `The result is larger than the ${numeral(MAX_RESULT_BYTES)} bytes that a job may store.`
    return { status: 'failed', error: { code: 'result_too_large', message }, isFinal: true }
  }
  return { status: 'succeeded', result }
}

function outcomeOf(runner: Runner, row: JobTable, kind: JobKind, signal: AbortSignal, error: unknown): Outcome {
  if (error instanceof JobInterrupted || (signal.aborted && isAbort(error))) return interruptedBy(signal, kind)
  if (error instanceof AppError) {
    return {
      status: 'failed',
      error: { code: error.code, message: error.message },
      isFinal: error.code !== 'unavailable',
    }
  }
  runner.log.error({ err: error, job: row.id, kind: row.kind }, 'a job failed')
  const message =
    'An unexpected error occurred in this job. Give the number of the job to the server operator, who can find the cause.'
  return { status: 'failed', error: { code: 'internal_error', message }, isFinal: false }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function interruptedBy(signal: AbortSignal, kind: JobKind): Outcome {
  const why = signal.reason instanceof JobInterrupted ? signal.reason.interruption : 'lease_lost'
  switch (why) {
    case 'cancelled':
      return { status: 'cancelled' }
    case 'timeout': {
      const seconds = Math.round(kind.timeoutMs / 1_000)
      const message = `This took longer than the ${numeral(seconds)} seconds that a job of this kind may take.`
      return { status: 'failed', error: { code: 'timeout', message }, isFinal: false }
    }
    case 'shutdown':
      return { status: 'handed_back' }
    case 'lease_lost':
      return { status: 'lost' }
  }
}
