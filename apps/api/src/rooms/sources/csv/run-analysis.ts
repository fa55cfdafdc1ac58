import { Worker } from 'node:worker_threads'
import { AppError } from '../../../lib/app-error.ts'
import type { Analysis, AnalysisRequest } from './analysis.ts'

export type AnalysisData = { dataDir: string; request: AnalysisRequest; cancelled: Int32Array }
export type AnalysisAnswer =
  | { progress: number }
  | { analysis: Analysis }
  | { reason: 'cancelled' | 'failed'; detail: string }

/** Small files do not wait behind large ones: each kind has a thread of its own, and a line of its own. */
export type Lane = 'small' | 'large'
const MAX_WAITING = 16

/** What a thread may hold before it is ended; the analysis itself is bounded far below. */
const THREAD_MEMORY_MB = 256
const YOUNG_MEMORY_MB = 16

const lanes: Record<Lane, { isBusy: boolean; waiting: (() => void)[] }> = {
  small: { isBusy: false, waiting: [] },
  large: { isBusy: false, waiting: [] },
}

export type RunOptions = {
  dataDir: string
  request: AnalysisRequest
  lane: Lane
  signal: AbortSignal
  progress?: (bytes: number) => void
}

/**
 * Reads a file in a thread of its own, so that the API goes on answering. Errors: `unavailable` when too many wait or the thread fails;
 * the signal's reason when it is aborted, as soon as the thread has let go of the file.
 */
export async function runAnalysis(options: RunOptions): Promise<Analysis> {
  const lane = lanes[options.lane]
  await enter(lane, options.signal)
  try {
    return await inThread(options)
  } finally {
    const next = lane.waiting.shift()
    if (next === undefined) lane.isBusy = false
    else next()
  }
}

async function enter(lane: (typeof lanes)[Lane], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (!lane.isBusy) {
    lane.isBusy = true
    return
  }
  if (lane.waiting.length >= MAX_WAITING) {
    throw new AppError('unavailable', 'Too many files are being read. Try again in a moment.', {
      reason: 'csv_queue_full',
    })
  }
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      lane.waiting = lane.waiting.filter((waiting) => waiting !== turn)
      reject(signal.reason)
    }
    const turn = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    signal.addEventListener('abort', leave, { once: true })
    lane.waiting.push(turn)
  })
}

/** Never ended from outside: that may strike while the driver is at work, and then takes the whole process with it. It is asked to stop. */
function inThread({ dataDir, request, signal, progress }: RunOptions): Promise<Analysis> {
  const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: AnalysisData = { dataDir, request, cancelled }
  const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
  })
  const cancel = () => Atomics.store(cancelled, 0, 1)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  return new Promise<Analysis>((resolve, reject) => {
    let outcome: Exclude<AnalysisAnswer, { progress: number }> | undefined
    let failure: unknown
    worker.on('message', (answer: AnalysisAnswer) => {
      if ('progress' in answer) progress?.(answer.progress)
      else outcome = answer
    })
    worker.on('error', (error) => {
      failure = error
    })
    worker.on('exit', () => {
      signal.removeEventListener('abort', cancel)
      if (outcome !== undefined && 'analysis' in outcome) resolve(outcome.analysis)
      else if (signal.aborted) reject(signal.reason)
      else reject(failed(outcome?.detail, failure))
    })
  })
}

function failed(detail: string | undefined, failure: unknown): AppError {
  const cause = detail === undefined ? failure : new Error(`The analysis failed. ${detail}`)
  return new AppError('unavailable', 'The file could not be read. Try again; nothing of it was kept.', {
    reason: 'csv_analysis_failed',
    cause,
  })
}
