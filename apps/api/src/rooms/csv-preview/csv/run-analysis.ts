import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../../lib/app-error.ts'
import { THREAD_YOUNG_GENERATION_MB } from '../../../lib/young-generation.ts'
import type { Analysis, AnalysisRequest } from './analysis.ts'

/** `cancelled`: set to 1 when nobody wants the analysis any more that the thread is at. `givesWay`: nobody waits for its answer. */
export type AnalysisThreadData = { cancelled: Int32Array; givesWay: boolean }
/** What a thread is asked for; `stop` ends it. */
export type AnalysisOrder = { dataDir: string; request: AnalysisRequest } | 'stop'
export type AnalysisAnswer =
  | { progress: number }
  | { analysis: Analysis }
  | { reason: 'cancelled' | 'failed'; detail: string }

/** Small files do not wait behind large ones: each kind has a thread of its own, and a line of its own. */
export type Lane = 'small' | 'large'
const MAX_WAITING = 16

/** What a thread may hold before it is ended; the analysis itself is bounded far below. */
const THREAD_MEMORY_MB = 256

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

type Thread = { worker: Worker; cancelled: Int32Array }

/** How long a thread for small files is kept for the next one: starting one and loading what it needs takes longer than reading such a file. */
const KEPT_MS = 60_000
let kept: { thread: Thread; end: NodeJS.Timeout } | undefined

/** Lets go of the thread that is kept for the next small file; for a process that stops. */
export function endKeptThread(): void {
  takeKept()?.worker.postMessage('stop' satisfies AnalysisOrder)
}

function takeKept(): Thread | undefined {
  const taken = kept
  kept = undefined
  clearTimeout(taken?.end)
  return taken?.thread
}

function keep(thread: Thread): void {
  thread.worker.unref()
  kept = { thread, end: setTimeout(endKeptThread, KEPT_MS).unref() }
}

function startThread(lane: Lane): Thread {
  const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), {
    workerData: { cancelled, givesWay: lane === 'large' } satisfies AnalysisThreadData,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB, maxYoungGenerationSizeMb: THREAD_YOUNG_GENERATION_MB },
  })
  // Whoever waits for it hears of it. One that dies while it is kept for the next file is told, and does not take the process with it.
  worker.on('error', (error) => {
    if (kept?.thread.worker === worker) process.emitWarning(error instanceof Error ? error : String(error))
  })
  worker.once('exit', () => {
    if (kept?.thread.worker === worker) takeKept()
  })
  return { worker, cancelled }
}

/** Never ended from outside: that may strike while the driver is at work, and then takes the whole process with it. It is asked to stop. */
async function inThread({ dataDir, request, lane, signal, progress }: RunOptions): Promise<Analysis> {
  const thread = (lane === 'small' ? takeKept() : undefined) ?? startThread(lane)
  const { worker, cancelled } = thread
  worker.ref()
  const cancel = () => Atomics.store(cancelled, 0, 1)
  Atomics.store(cancelled, 0, 0)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    const outcome = await outcomeOf(worker, { dataDir, request }, progress)
    if (lane === 'small') keep(thread)
    else {
      // Its memory is given back before the next large file begins.
      worker.postMessage('stop' satisfies AnalysisOrder)
      await once(worker, 'exit')
    }
    if ('analysis' in outcome) return outcome.analysis
    if (signal.aborted) throw signal.reason
    throw failed(new Error(`The analysis failed. ${outcome.detail}`))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

type Outcome = Exclude<AnalysisAnswer, { progress: number }>

/** What the thread answers. Errors: `unavailable` when it dies of it. */
function outcomeOf(worker: Worker, order: AnalysisOrder, progress: RunOptions['progress']): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let failure: unknown
    const settle = (finish: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      finish()
    }
    const onMessage = (answer: AnalysisAnswer) => {
      if ('progress' in answer) progress?.(answer.progress)
      else settle(() => resolve(answer))
    }
    const onError = (error: unknown) => {
      failure = error
    }
    const onExit = () => settle(() => reject(failed(failure)))
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.postMessage(order)
  })
}

function failed(cause: unknown): AppError {
  return new AppError('unavailable', 'The file could not be read. Try again; nothing of it was kept.', {
    reason: 'csv_analysis_failed',
    cause,
  })
}
