import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import { THREAD_YOUNG_GENERATION_MB } from '../../lib/young-generation.ts'
import type { Database } from '../database.ts'
import { StablePlanCompiler } from './query-compiler.ts'
import { receivedError, type SentError } from './store-errors.ts'

/** What goes to the worker and what comes back. */
export type BackgroundRequest = { id: number; sql: string; parameters: readonly unknown[] }
/** Asks the worker to close its connections and end. */
export const STOP = 'stop'
/** Said by the worker once its connections are open. */
export const READY = 'ready'
/** `left`: set to 1 when nobody waits for the worker's answers any more. */
export type BackgroundData = { file: string; left: Int32Array }
export type BackgroundAnswer = { id: number; rows: unknown[] } | ({ id: number } & SentError)

/** A question that takes longer than this is given up, and the worker with it. */
const MAX_QUERY_MS = 15_000
/** Loading the driver and opening the store may take this long besides, on a machine with much to do. */
const STARTING_PATIENCE_MS = 15_000
/** Questions that may wait for the worker; more are refused at once. */
const MAX_WAITING = 200
/** How long a stop waits for the query that the worker is at. */
const STOP_PATIENCE_MS = 5_000
/** A worker that died is started anew when it is asked, or after this long: it has the log to move. */
const RESTART_AFTER_MS = 1_000

type Thread = { worker: Worker; left: Int32Array; isReady: boolean }

export type Background = { db: Kysely<Database>; close(): Promise<void> }

type Pending = BackgroundRequest & { resolve: (rows: unknown[]) => void; reject: (error: Error) => void }

/**
 * A second reader, in a thread of its own. The driver is synchronous, so whatever may take long (text search, rare
 * combinations of filters, counting) asks here and the event loop goes on answering. The thread also moves the write-ahead
 * log into the database file, so that no commit has to wait for it.
 */
export function createBackground(
  file: string,
  { maxQueryMs = MAX_QUERY_MS }: { maxQueryMs?: number } = {},
): Background {
  /** In the order in which the worker takes them: the first is the one that it is at. */
  const pending = new Map<number, Pending>()
  let lastId = 0
  let watch: NodeJS.Timeout | undefined
  let closed = false
  let thread: Thread | undefined = start()

  function start(): Thread {
    const left = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const workerData: BackgroundData = { file, left }
    const started = new Worker(new URL('./background-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: THREAD_YOUNG_GENERATION_MB },
    })
    const begun: Thread = { worker: started, left, isReady: false }
    let cause: unknown
    started.unref()
    started.on('message', (answer: BackgroundAnswer | typeof READY) => {
      if (answer === READY) {
        begun.isReady = true
        if (thread === begun) watchFirst()
        return
      }
      const asked = take(answer.id)
      if (asked === undefined) return
      if ('error' in answer) asked.reject(receivedError(answer))
      else asked.resolve(answer.rows)
    })
    started.on('error', (error) => {
      cause = error
    })
    started.on('exit', () => {
      if (thread === begun) lose(cause)
    })
    return begun
  }

  function take(id: number): Pending | undefined {
    const asked = pending.get(id)
    pending.delete(id)
    watchFirst()
    return asked
  }

  /** The time of a question runs from when the worker is at it, not from when one is started for it. */
  function watchFirst(): void {
    clearTimeout(watch)
    const [first] = pending.values()
    const patienceMs = thread?.isReady === true ? maxQueryMs : maxQueryMs + STARTING_PATIENCE_MS
    watch = first === undefined ? undefined : setTimeout(() => giveUp(first), patienceMs)
  }

  /** The worker died: whoever waits is told, and what comes next gets a fresh one. */
  function lose(cause: unknown): void {
    thread = undefined
    refuseAll(
      new AppError('unavailable', 'The search failed. Ask again in a moment.', { cause, reason: 'query_failed' }),
    )
    if (!closed) setTimeout(running, RESTART_AFTER_MS).unref()
  }

  function running(): Worker | undefined {
    if (!closed) thread ??= start()
    return thread?.worker
  }

  /** A running query cannot be stopped from outside: the worker is left behind with it, and those who waited go on with a fresh one. */
  function giveUp(slow: Pending): void {
    const leaving = thread
    thread = undefined
    leave(leaving)
    const message = 'This question took too long to answer. Narrow it and ask again.'
    take(slow.id)?.reject(new AppError('unavailable', message, { reason: 'query_too_slow' }))
    for (const waiting of pending.values()) send(waiting)
  }

  /**
   * A worker ends by itself, when its query is done. Never by `terminate()`: that may strike while the driver is being loaded or is at
   * work, and then takes the whole process with it.
   */
  function leave(leaving: Thread | undefined): void {
    if (leaving === undefined) return
    Atomics.store(leaving.left, 0, 1)
    leaving.worker.postMessage(STOP)
  }

  function send({ id, sql, parameters }: BackgroundRequest): void {
    running()?.postMessage({ id, sql, parameters } satisfies BackgroundRequest)
  }

  function ask(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    if (closed) return Promise.reject(stopping())
    if (pending.size >= MAX_WAITING) {
      return Promise.reject(
        new AppError('unavailable', 'Too many searches are waiting. Try again in a moment.', {
          reason: 'query_queue_full',
        }),
      )
    }
    return new Promise((resolve, reject) => {
      const asked = { id: ++lastId, sql, parameters, resolve, reject }
      pending.set(asked.id, asked)
      if (pending.size === 1) watchFirst()
      send(asked)
    })
  }

  function refuseAll(failure: AppError): void {
    for (const id of [...pending.keys()]) take(id)?.reject(failure)
  }

  return {
    db: new Kysely<Database>({
      dialect: {
        createAdapter: () => new BackgroundAdapter(),
        createDriver: () => new BackgroundDriver(ask),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new StablePlanCompiler(),
      },
    }),
    close: async () => {
      closed = true
      refuseAll(stopping())
      if (thread === undefined) return
      const ended = once(thread.worker, 'exit')
      thread.worker.ref()
      leave(thread)
      await Promise.race([ended, delay(STOP_PATIENCE_MS, undefined, { ref: false })])
    },
  }
}

function stopping(): AppError {
  return new AppError('unavailable', 'The service is stopping.', { reason: 'stopping' })
}

/** Kysely would otherwise let one question out at a time and keep the others where no limit and no time-out sees them. */
class BackgroundAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

type Ask = (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>

/** Kysely's view of the thread: single reads only, so no transactions. */
class BackgroundDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(ask: Ask) {
    this.#connection = {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => ({
        rows: (await ask(sql, parameters)) as R[],
      }),
      streamQuery: () => refuse(),
    }
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async beginTransaction(): Promise<void> {
    refuse()
  }
  async commitTransaction(): Promise<void> {
    refuse()
  }
  async rollbackTransaction(): Promise<void> {
    refuse()
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

function refuse(): never {
  throw new Error('The background reader answers single queries only.')
}
