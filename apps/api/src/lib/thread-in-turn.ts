import { Worker } from 'node:worker_threads'
import { AppError } from './app-error.ts'
import { askThread, type Thread } from './ask-thread.ts'
import { createTenantTurns, type RunOptions, type Share, type WaitingPlaces } from './tenant-turns.ts'
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
  /** the waiting places, each of which occupies memory; undefined if only jobs give orders */
  places?: Omit<WaitingPlaces, 'reason' | 'retryAfterSeconds'>
  lost: string
}

/** Time after which a tenant whose share is used may try again. An order takes at most some seconds. */
const RETRY_AFTER_SECONDS = 5

/** The tenant of an order, and whether it may wait without a limit, as those of jobs do. */
export type Turn = Share & Pick<RunOptions, 'isPatient'>

export type ThreadInTurn<Order, Answer> = {
  /**
   * Answers an order within `ms`, one order at a time, the tenants in turn. A failure of the order does not reject the promise. Errors:
   * `too_many_waiting` (of this tenant), `unavailable` (too many orders wait, or no thread starts).
   */
  run(turn: Turn, order: Order, ms: number): Promise<{ answer: Answer } | { outOfBounds: OutOfBounds }>
  /** Ends the idle thread when the process stops. */
  end(): void
}

/** Creates a thread for untrusted input, with a time and a memory limit for each order. The thread starts with the first order. */
export function threadInTurn<Order, Answer>(options: Options): ThreadInTurn<Order, Answer> {
  const { file, maxMemoryMb, places, lost } = options
  const turns = createTenantTurns<Share>({
    isFree: (_, running) => running.size === 0,
    ...(places !== undefined && {
      places: { ...places, reason: 'page_queue_full', retryAfterSeconds: RETRY_AFTER_SECONDS },
    }),
  })
  let thread: Thread<Order, Answer, 'begun'> | undefined
  let idle: NodeJS.Timeout | undefined

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
    run: ({ tenantId, isPatient }, order, ms) => turns.run({ tenantId }, () => inThread(order, ms), { isPatient }),
    end,
  }
}

function isOutOfMemory(error: unknown): boolean {
  const cause = error instanceof AppError ? error.details.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
