import { Worker } from 'node:worker_threads'
import { AppError, type ErrorCode } from '../../../lib/app-error.ts'
import { RUN_YOUNG_GENERATION_MB } from '../../../lib/young-generation.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { RunStopped } from './collect-run.ts'
import type { PreviewCollected, RunCollected, ScoreThreadData, ScoreThreadMessage } from './score-thread.data.ts'

/**
 * Heap limit of the thread. A record takes some 110 bytes, plus sorted copies and one batch of rows. A million records need a fifth of this limit.
 */
const MOST_HEAP_MB = 900

type Context = Pick<JobContext, 'store' | 'signal' | 'progress'>
type RunOrder = Omit<Extract<ScoreThreadData, { mode: 'run' }>, 'dataDir' | 'turn' | 'files' | 'stop'>
type PreviewOrder = Omit<Extract<ScoreThreadData, { mode: 'preview' }>, 'dataDir' | 'turn' | 'files' | 'stop'>

/**
 * Evaluates records in a worker thread of low priority. A stop flag ends the thread, because `terminate()` can interrupt the database driver. Errors:
 * `RunStopped`, `AppError` of the store, interruptions of the job.
 */
export function collectInThread(context: Context, order: RunOrder): Promise<RunCollected>
export function collectInThread(context: Context, order: PreviewOrder): Promise<PreviewCollected>
export async function collectInThread(
  { store, signal, progress }: Context,
  order: RunOrder | PreviewOrder,
): Promise<RunCollected | PreviewCollected> {
  signal.throwIfAborted()
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const { dataDir, turn, files } = store
  const worker = new Worker(new URL('./score-worker.ts', import.meta.url), {
    workerData: { ...order, dataDir, turn, files, stop } satisfies ScoreThreadData,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB, maxYoungGenerationSizeMb: RUN_YOUNG_GENERATION_MB },
  })
  const abandon = () => Atomics.store(stop, 0, 1)
  signal.addEventListener('abort', abandon, { once: true })
  let last: Exclude<ScoreThreadMessage, { type: 'progress' }> | undefined
  let failure: unknown
  worker.on('message', (message: ScoreThreadMessage) => {
    if (message.type === 'progress') progress({ done: message.done, total: message.total, unit: 'records' })
    else last = message
  })
  worker.on('error', (error) => {
    failure = error
  })
  await new Promise<void>((resolve) => worker.on('exit', () => resolve()))
  signal.removeEventListener('abort', abandon)
  signal.throwIfAborted()
  if (last?.type === 'run' || last?.type === 'preview') return last.collected
  if (last?.type === 'stopped') throw new RunStopped(last.because)
  if (last?.type === 'failed') {
    throw last.code === null
      ? new Error(`The scoring thread failed: ${last.message}`)
      : new AppError(last.code as ErrorCode, last.message)
  }
  throw failure ?? new Error('The scoring thread ended without a result.')
}
