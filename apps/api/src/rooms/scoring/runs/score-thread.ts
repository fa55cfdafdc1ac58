import { Worker } from 'node:worker_threads'
import { AppError, type ErrorCode } from '../../../lib/app-error.ts'
import { askThread } from '../../../lib/ask-thread.ts'
import { RUN_YOUNG_GENERATION_MB } from '../../../lib/young-generation.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { RunStopped } from './collect-run.ts'
import type { PreviewCollected, RunCollected, ScoreAnswer, ScoreOrder, ScoreProgress } from './score-thread.data.ts'

/**
 * Heap limit of the thread. A record takes some 110 bytes, plus sorted copies and one batch of rows. A million records need a fifth of this limit.
 */
const MOST_HEAP_MB = 900

type Context = Pick<JobContext, 'store' | 'signal' | 'progress'>
type Given = 'dataDir' | 'turn' | 'files' | 'stop'
type RunOrder = Omit<Extract<ScoreOrder, { mode: 'run' }>, Given>
type PreviewOrder = Omit<Extract<ScoreOrder, { mode: 'preview' }>, Given>

/**
 * Evaluates records in a worker thread of low priority. A stop flag ends the work, because `terminate()` can interrupt the database driver. Errors:
 * `RunStopped`, `AppError` of the store, interruptions of the job.
 */
export function collectInThread(context: Context, order: RunOrder): Promise<RunCollected>
export function collectInThread(context: Context, order: PreviewOrder): Promise<PreviewCollected>
export async function collectInThread(
  { store, signal, progress }: Context,
  order: RunOrder | PreviewOrder,
): Promise<RunCollected | PreviewCollected> {
  signal.throwIfAborted()
  const { dataDir, turn, files } = store
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const abandon = () => Atomics.store(stop, 0, 1)
  signal.addEventListener('abort', abandon, { once: true })
  const worker = new Worker(new URL('./score-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB, maxYoungGenerationSizeMb: RUN_YOUNG_GENERATION_MB },
  })
  const thread = askThread<ScoreOrder, ScoreAnswer, ScoreProgress>(worker, {
    lost: (cause) => (cause instanceof Error ? cause : new Error('The scoring thread ended without a result.')),
  })
  try {
    const answer = await thread.ask({ ...order, dataDir, turn, files, stop }, (done) =>
      progress({ ...done, unit: 'records' }),
    )
    signal.throwIfAborted()
    return collectedIn(answer)
  } finally {
    signal.removeEventListener('abort', abandon)
    await thread.end()
  }
}

function collectedIn(answer: ScoreAnswer): RunCollected | PreviewCollected {
  switch (answer.type) {
    case 'collected':
      return answer.collected
    case 'stopped':
      throw new RunStopped(answer.because)
    case 'failed':
      throw answer.code === null
        ? new Error(`The scoring thread failed: ${answer.message}`)
        : new AppError(answer.code as ErrorCode, answer.message)
    case 'abandoned':
      throw new Error('The scoring thread was abandoned although its job goes on.')
  }
}
