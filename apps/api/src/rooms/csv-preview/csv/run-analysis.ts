import { Worker } from 'node:worker_threads'
import { AppError } from '../../../lib/app-error.ts'
import { askThread, type Thread } from '../../../lib/ask-thread.ts'
import { createTenantTurns, type Share } from '../../../lib/tenant-turns.ts'
import { THREAD_YOUNG_GENERATION_MB } from '../../../lib/young-generation.ts'
import type { Analysis, AnalysisRequest, CsvRow } from './analysis.ts'
import type { HeldContent } from './held-content.ts'
import type { WindowRequest } from './read-window.ts'

/** Input of an analysis thread. `cancelled` is set to 1 to cancel its current analysis. `givesWay`: true if no request waits for the result. */
export type AnalysisThreadData = { cancelled: Int32Array; givesWay: boolean }
export type AnalysisOrder = { dataDir: string } & (
  | { request: AnalysisRequest; maxPackedBytes: number }
  | { window: WindowRequest; content: HeldContent }
)
/** `content`: the file in memory, from which rows are read again. */
export type ReadFile = { analysis: Analysis; content: HeldContent }
export type AnalysisAnswer = ReadFile | { rows: CsvRow[] } | { reason: 'cancelled' | 'failed'; detail: string }

/**
 * Lane: a thread with its own queue. Windows of rows, small and large files have separate lanes, so that none waits for something that takes longer.
 */
export type Lane = FileLane | 'window'
type FileLane = 'small' | 'large'
/** Waiting places of windows. A window takes some milliseconds. */
const MAX_WAITING_WINDOWS = 64
const WINDOW_RETRY_AFTER_SECONDS = 1
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
  window: createTenantTurns<Share>({
    isFree,
    places: {
      max: MAX_WAITING_WINDOWS,
      what: 'lists of rows',
      name: 'waiting_csv_rows',
      reason: 'csv_queue_full',
      retryAfterSeconds: WINDOW_RETRY_AFTER_SECONDS,
    },
  }),
}

export type RunOptions = {
  dataDir: string
  request: AnalysisRequest
  /** maximum number of bytes of the compressed content */
  maxPackedBytes: number
  lane: FileLane
  signal: AbortSignal
  progress?: (bytes: number) => void
}

/**
 * Analyses a file in a separate thread, so that the API stays responsive. Each lane reads one file at a time, those of the tenants in turn. Errors:
 * `too_many_waiting` (files of this tenant); `unavailable` (too many files wait, or the thread failed); the reason of the signal, after the signal
 * was aborted and the thread has closed the file.
 */
export async function runAnalysis({ dataDir, request, maxPackedBytes, ...how }: RunOptions): Promise<ReadFile> {
  const order = { dataDir, request, maxPackedBytes }
  const answer = await lanes[how.lane].run({ tenantId: request.tenantId }, () => inThread(order, how), how)
  if ('analysis' in answer) return answer
  throw failed(new Error('The thread answered another request.'))
}

/** Reads some rows of held content again, in a thread of its own. Errors: those of `runAnalysis`. */
export async function runWindow(
  dataDir: string,
  content: HeldContent,
  window: WindowRequest,
  signal: AbortSignal,
): Promise<CsvRow[]> {
  const how = { lane: 'window', signal } as const
  const share = { tenantId: window.tenantId }
  const answer = await lanes.window.run(share, () => inThread({ dataDir, content, window }, how), how)
  if ('rows' in answer) return answer.rows
  throw failed(new Error('The thread answered another request.'))
}

/** An analysis thread, which reports the number of bytes read. */
type AnalysisThread = Thread<AnalysisOrder, AnalysisAnswer, number> & { cancelled: Int32Array }

/**
 * Idle time after which a thread for small files or windows ends. It is reused, because starting a thread and loading its modules takes longer than
 * reading a small file. An idle thread has no open file or store and does not keep the process running, so nothing has to end it when the process
 * stops.
 */
const KEPT_MS = 60_000
const kept = new Map<Lane, { thread: AnalysisThread; end: NodeJS.Timeout }>()

function takeKept(lane: Lane): AnalysisThread | undefined {
  const taken = kept.get(lane)
  kept.delete(lane)
  clearTimeout(taken?.end)
  return taken?.thread
}

function keep(lane: Lane, thread: AnalysisThread): void {
  thread.worker.unref()
  kept.set(lane, { thread, end: setTimeout(() => void takeKept(lane)?.end(), KEPT_MS).unref() })
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
      if (kept.get(lane)?.thread.worker !== worker) return
      takeKept(lane)
      if (cause !== undefined) process.emitWarning(cause instanceof Error ? cause : String(cause))
    },
  })
  return { ...thread, cancelled }
}

type How = Pick<RunOptions, 'signal' | 'progress'> & { lane: Lane }

async function inThread(
  order: AnalysisOrder,
  { lane, signal, progress }: How,
): Promise<Exclude<AnalysisAnswer, { reason: unknown }>> {
  const thread = takeKept(lane) ?? startThread(lane)
  const { worker, cancelled } = thread
  worker.ref()
  const cancel = () => Atomics.store(cancelled, 0, 1)
  Atomics.store(cancelled, 0, 0)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    const outcome = await thread.ask(order, progress)
    if (lane !== 'large') keep(lane, thread)
    else {
      // Ends the thread, so that its memory is free before the next large file begins.
      await thread.end()
    }
    if (!('reason' in outcome)) return outcome
    if (signal.aborted) throw signal.reason
    throw failed(new Error(`The analysis failed. ${outcome.detail}`))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function failed(cause: unknown): AppError {
  return new AppError('unavailable', 'The file could not be read, and nothing was stored. Try again.', {
    reason: 'csv_analysis_failed',
    cause,
  })
}
