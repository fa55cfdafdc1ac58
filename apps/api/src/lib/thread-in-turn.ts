import { Worker } from 'node:worker_threads'
import { AppError } from './app-error.ts'
import { askThread, type Thread } from './ask-thread.ts'
import { THREAD_YOUNG_GENERATION_MB } from './young-generation.ts'

/** Time after which a thread that has not started counts as lost. */
const START_MS = 10_000
/** Idle time after which the thread ends. It is reused, because starting a thread takes longer than reading a page. */
const KEPT_MS = 60_000

/** The limit that an order exceeded. Its thread was terminated without an answer. */
export type OutOfBounds = 'time' | 'memory'

type Options = {
  /**
   * The module of the thread. It must call `answerRequests` and send the note `begun` before each answer. It must not open a store, because the
   * thread may be terminated.
   */
  file: URL
  maxMemoryMb: number
  /** maximum number of waiting orders, each of which occupies memory */
  maxWaiting: number
  busy: string
  lost: string
}

export type ThreadInTurn<Order, Answer> = {
  /**
   * Answers an order within `ms`, one order at a time. A failure of the order does not reject the promise. Errors: `unavailable` (too many orders
   * wait, or no thread starts).
   */
  run(order: Order, ms: number): Promise<{ answer: Answer } | { outOfBounds: OutOfBounds }>
  /** Ends the idle thread when the process stops. */
  end(): void
}

/** Creates a thread for untrusted input, with a time and a memory limit for each order. The thread starts with the first order. */
export function threadInTurn<Order, Answer>(options: Options): ThreadInTurn<Order, Answer> {
  const { file, maxMemoryMb, maxWaiting, busy, lost } = options
  let thread: Thread<Order, Answer, 'begun'> | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  function start(): Thread<Order, Answer, 'begun'> {
    const worker = new Worker(file, {
      resourceLimits: {
        maxOldGenerationSizeMb: maxMemoryMb,
        maxYoungGenerationSizeMb: THREAD_YOUNG_GENERATION_MB,
      },
    })
    const started = askThread<Order, Answer, 'begun'>(worker, {
      lost: (cause) => new AppError('unavailable', lost, { reason: 'page_thread_lost', cause }),
      onEnd: () => {
        if (thread === started) thread = undefined
      },
    })
    return started
  }

  function end(): void {
    clearTimeout(idle)
    void thread?.end()
    thread = undefined
  }

  async function inThread(order: Order, ms: number): Promise<{ answer: Answer } | { outOfBounds: OutOfBounds }> {
    clearTimeout(idle)
    thread ??= start()
    const { worker, ask } = thread
    worker.ref()
    let isPastTime = false
    let timer = setTimeout(() => void worker.terminate(), START_MS)
    const begun = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        isPastTime = true
        void worker.terminate()
      }, ms)
    }
    try {
      const answer = await ask(order, begun)
      worker.unref()
      idle = setTimeout(end, KEPT_MS).unref()
      return { answer }
    } catch (error) {
      thread = undefined
      if (isPastTime) return { outOfBounds: 'time' }
      if (isOutOfMemory(error)) return { outOfBounds: 'memory' }
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    run: (order, ms) => {
      if (waiting >= maxWaiting) throw new AppError('unavailable', busy, { reason: 'page_queue_full' })
      waiting += 1
      const running = last
        .then(() => inThread(order, ms))
        .finally(() => {
          waiting -= 1
        })
      last = running.catch(() => {})
      return running
    },
    end,
  }
}

function isOutOfMemory(error: unknown): boolean {
  const cause = error instanceof AppError ? error.details.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
