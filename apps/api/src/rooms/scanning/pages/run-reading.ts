import { Worker } from 'node:worker_threads'
import { AppError } from '../../../lib/app-error.ts'
import { askThread, type Thread } from '../../../lib/ask-thread.ts'
import { THREAD_YOUNG_GENERATION_MB } from '../../../lib/young-generation.ts'
import { parseBounds, runningBounds } from '../bounds.ts'
import type { ScanReason } from '../reasons.ts'
import type { PageOrder, ReadPage } from './page-facts.ts'
import type { ReadRobots, RobotsOrder } from './robots-order.ts'

/** Most pages that wait for the thread. Each waiting page occupies memory. */
const MAX_WAITING = 16
/** A thread that does not start within this time counts as lost. */
const START_MS = 10_000
/** Idle time after which the thread ends. Starting a thread takes longer than reading a page. */
const KEPT_MS = 60_000

type Order = PageOrder | RobotsOrder
type Answer = ReadPage | ReadRobots
type PageThread = Thread<Order, Answer, 'begun'>

/** A parsed page, or a reason if the page reached the time or memory limit and its thread was terminated. */
export type Reading = { page: ReadPage } | { page: undefined; reason: ScanReason }

let thread: PageThread | undefined
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * Parses a page in the worker thread, one page at a time, within the parse limits. A page never makes the promise reject. Errors: `unavailable` (too
 * many pages wait, or no thread starts).
 */
export async function runReading(order: PageOrder, parseMs: number = parseBounds.parseMs): Promise<Reading> {
  const read = await inTurn(order, parseMs)
  return 'reason' in read ? { page: undefined, reason: read.reason } : { page: read.answer as ReadPage }
}

/** Evaluates robots.txt in the worker thread; undefined if it reached the time limit. */
export async function runRobots(order: RobotsOrder): Promise<ReadRobots | undefined> {
  const read = await inTurn(order, runningBounds.robotsMs)
  return 'reason' in read ? undefined : (read.answer as ReadRobots)
}

type Read = { answer: Answer } | { reason: ScanReason }

function inTurn(order: Order, ms: number): Promise<Read> {
  if (waiting >= MAX_WAITING)
    throw new AppError('unavailable', 'Too many pages are being read. Try again in a moment.', {
      reason: 'page_queue_full',
    })
  waiting += 1
  const reading = last
    .then(() => inThread(order, ms))
    .finally(() => {
      waiting -= 1
    })
  last = reading.catch(() => {})
  return reading
}

/** Ends the idle thread when the process stops. */
export function endPageThread(): void {
  clearTimeout(idle)
  void thread?.end()
  thread = undefined
}

async function inThread(order: Order, parseMs: number): Promise<Read> {
  clearTimeout(idle)
  thread ??= startThread()
  const { worker, ask } = thread
  worker.ref()
  let endedBy: 'parse_timeout' | undefined
  let timer = setTimeout(() => void worker.terminate(), START_MS)
  const begun = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      endedBy = 'parse_timeout'
      void worker.terminate()
    }, parseMs)
  }
  try {
    const answer = await ask(order, begun)
    worker.unref()
    idle = setTimeout(endPageThread, KEPT_MS).unref()
    return { answer }
  } catch (error) {
    thread = undefined
    if (endedBy !== undefined) return { reason: endedBy }
    if (isOutOfMemory(error)) return { reason: 'node_limit' }
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function startThread(): PageThread {
  const worker = new Worker(new URL('./read-page-worker.ts', import.meta.url), {
    resourceLimits: {
      maxOldGenerationSizeMb: parseBounds.threadMb,
      maxYoungGenerationSizeMb: THREAD_YOUNG_GENERATION_MB,
    },
  })
  const started = askThread<Order, Answer, 'begun'>(worker, {
    lost: (cause) =>
      new AppError('unavailable', 'The page could not be read. Try again; nothing of it was stored.', {
        reason: 'page_thread_lost',
        cause,
      }),
    onEnd: () => {
      if (thread === started) thread = undefined
    },
  })
  return started
}

function isOutOfMemory(error: unknown): boolean {
  const cause = error instanceof AppError ? error.details.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
