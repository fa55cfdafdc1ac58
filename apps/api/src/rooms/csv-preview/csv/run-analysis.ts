import { Worker } from 'node:worker_threads'
import { AppError } from '../../../lib/app-error.ts'
import { askThread, type Thread } from '../../../lib/ask-thread.ts'
import { createTenantTurns, type Share } from '../../../lib/tenant-turns.ts'
import { THREAD_YOUNG_GENERATION_MB } from '../../../lib/young-generation.ts'
import type { Analysis, AnalysisRequest } from './analysis.ts'

/** Input of an analysis thread. `cancelled` is set to 1 to cancel its current analysis. `givesWay`: true if no request waits for the result. */
export type AnalysisThreadData = { cancelled: Int32Array; givesWay: boolean }
export type AnalysisOrder = { dataDir: string; request: AnalysisRequest }
export type AnalysisAnswer = { analysis: Analysis } | { reason: 'cancelled' | 'failed'; detail: string }

/** Lane: a thread with its own queue. Small and large files have separate lanes, so that small files do not wait for large ones. */
export type Lane = 'small' | 'large'
/** Waiting places of small files. Large files are read by jobs, which wait without a limit. */
const MAX_WAITING = 16
/** Time after which a tenant whose share is used may try again. A small file takes some seconds at most. */
const RETRY_AFTER_SECONDS = 5

/** Memory limit of a thread. It is far above the memory that an analysis needs. */
const THREAD_MEMORY_MB = 256

const isFree = (_: Share, running: ReadonlySet<Share>) => running.size === 0
const lanes = {
  small: createTenantTurns<Share>({
    isFree,
    places: {
      max: MAX_WAITING,
      what: 'files',
      name: 'waiting_csv_files',
      reason: 'csv_queue_full',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  }),
  large: createTenantTurns<Share>({ isFree }),
}

export type RunOptions = {
  dataDir: string
  request: AnalysisRequest
  lane: Lane
  signal: AbortSignal
  progress?: (bytes: number) => void
}

/**
 * Analyses a file in a separate thread, so that the API stays responsive. Each lane reads one file at a time, those of the tenants in turn. Errors:
 * `too_many_waiting` (files of this tenant); `unavailable` (too many files wait, or the thread failed); the reason of the signal, after the signal
 * was aborted and the thread has closed the file.
 */
export async function runAnalysis(options: RunOptions): Promise<Analysis> {
  const { request, lane, signal } = options
  return lanes[lane].run({ tenantId: request.tenantId }, () => inThread(options), { signal })
}

/** An analysis thread, which reports the number of bytes read. */
type AnalysisThread = Thread<AnalysisOrder, AnalysisAnswer, number> & { cancelled: Int32Array }

/**
 * Idle time after which the thread for small files ends. It is reused, because starting a thread and loading its modules takes longer than reading a
 * small file. An idle thread has no open file or store and does not keep the process running, so nothing has to end it when the process stops.
 */
const KEPT_MS = 60_000
let kept: { thread: AnalysisThread; end: NodeJS.Timeout } | undefined

function takeKept(): AnalysisThread | undefined {
  const taken = kept
  kept = undefined
  clearTimeout(taken?.end)
  return taken?.thread
}

function keep(thread: AnalysisThread): void {
  thread.worker.unref()
  kept = { thread, end: setTimeout(() => void takeKept()?.end(), KEPT_MS).unref() }
}

function startThread(lane: Lane): AnalysisThread {
  const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), {
    workerData: { cancelled, givesWay: lane === 'large' } satisfies AnalysisThreadData,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB, maxYoungGenerationSizeMb: THREAD_YOUNG_GENERATION_MB },
  })
  const thread = askThread<AnalysisOrder, AnalysisAnswer, number>(worker, {
    lost: failed,
    // If the idle thread dies, the failure is only logged, because no analysis needs it.
    onEnd: (cause) => {
      if (kept?.thread.worker !== worker) return
      takeKept()
      if (cause !== undefined) process.emitWarning(cause instanceof Error ? cause : String(cause))
    },
  })
  return { ...thread, cancelled }
}

async function inThread({ dataDir, request, lane, signal, progress }: RunOptions): Promise<Analysis> {
  const thread = (lane === 'small' ? takeKept() : undefined) ?? startThread(lane)
  const { worker, cancelled } = thread
  worker.ref()
  const cancel = () => Atomics.store(cancelled, 0, 1)
  Atomics.store(cancelled, 0, 0)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    const outcome = await thread.ask({ dataDir, request }, progress)
    if (lane === 'small') keep(thread)
    else {
      // Ends the thread, so that its memory is free before the next large file begins.
      await thread.end()
    }
    if ('analysis' in outcome) return outcome.analysis
    if (signal.aborted) throw signal.reason
    throw failed(new Error(`The analysis failed. ${outcome.detail}`))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function failed(cause: unknown): AppError {
  return new AppError('unavailable', 'The file could not be read. Try again; nothing of it was stored.', {
    reason: 'csv_analysis_failed',
    cause,
  })
}
