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
import { askThread, type Thread } from '../../lib/ask-thread.ts'
import { createTenantTurns, type Share } from '../../lib/tenant-turns.ts'
import { THREAD_YOUNG_GENERATION_MB } from '../../lib/young-generation.ts'
import type { Database } from '../database.ts'
import { StablePlanCompiler } from './query-compiler.ts'
import { receivedError, type SentError } from './store-errors.ts'

export type BackgroundRequest = { sql: string; parameters: readonly unknown[] }
/** Input of the worker. `left` is set to 1 when its results are no longer needed. */
export type BackgroundData = { file: string; left: Int32Array }
export type BackgroundAnswer = { rows: unknown[] } | SentError

/** Time after which a query is abandoned together with its worker. */
const MAX_QUERY_MS = 15_000
/** Additional time for the first query, because on a busy machine loading the driver and opening the store take long. */
const STARTING_PATIENCE_MS = 15_000
/** Maximum number of queries that wait for their turn. A tenant may hold a quarter of these places. */
const MAX_WAITING = 200
/** Time after which a tenant whose share is used may try again. Most queries take some milliseconds. */
const RETRY_AFTER_SECONDS = 2
/** Maximum number of readers that are kept, one for each tenant. Creating one takes as long as a short query. */
const MAX_KEPT_READERS = 500
/** Maximum time that a shutdown waits for the worker's current query. */
const STOP_PATIENCE_MS = 5_000
/**
 * Time after which the worker is started or restarted without a query, because it also runs checkpoints. Meanwhile the start of the service has the
 * processor for itself.
 */
const START_AFTER_MS = 1_000

type BackgroundThread = Thread<BackgroundRequest, BackgroundAnswer> & { left: Int32Array }

/** Returns the reader for queries of a tenant; null for work of no tenant. `isPatient`: as in `RunOptions`. */
export type BackgroundOf = (tenantId: string | null, how?: { isPatient?: boolean }) => Kysely<Database>
export type Background = { of: BackgroundOf; close(): Promise<void> }

type Pending = BackgroundRequest & { resolve: (rows: unknown[]) => void; reject: (error: unknown) => void }

/**
 * Creates a second reader in its own thread. The driver is synchronous, so queries that can take long (text search, rare combinations of filters,
 * counts) run in this thread while the event loop serves requests. The thread also runs checkpoints of the write-ahead log, so that no commit waits
 * for one. Tenants are served in turn, because one tenant's queries must not delay those of another.
 */
export function createBackground(
  file: string,
  { maxQueryMs = MAX_QUERY_MS }: { maxQueryMs?: number } = {},
): Background {
  const turns = createTenantTurns<Share>({
    // The thread gets one query at a time, because the order of queries that were sent cannot change.
    isFree: (_, running) => running.size === 0,
    places: {
      max: MAX_WAITING,
      what: 'searches',
      name: 'waiting_searches',
      reason: 'query_queue_full',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  })
  let current: Pending | undefined
  let watch: NodeJS.Timeout | undefined
  let closed = false
  let isReady = false
  let thread: BackgroundThread | undefined
  let starting = startLater()

  function start(): BackgroundThread {
    const left = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const worker = new Worker(new URL('./background-worker.ts', import.meta.url), {
      workerData: { file, left } satisfies BackgroundData,
      resourceLimits: { maxYoungGenerationSizeMb: THREAD_YOUNG_GENERATION_MB },
    })
    worker.unref()
    isReady = false
    const begun: BackgroundThread = {
      ...askThread<BackgroundRequest, BackgroundAnswer>(worker, {
        lost: queryFailed,
        onReady: () => {
          if (thread !== begun) return
          isReady = true
          watchCurrent()
        },
        onEnd: (cause) => {
          if (thread === begun) lose(cause)
        },
      }),
      left,
    }
    return begun
  }

  /** Starts the timeout of the current query. */
  function watchCurrent(): void {
    clearTimeout(watch)
    if (current === undefined) return
    watch = setTimeout(giveUp, isReady ? maxQueryMs : maxQueryMs + STARTING_PATIENCE_MS)
  }

  /** Ends the current query with an answer or an error. The next one is sent. */
  function endCurrent(end: (asked: Pending) => void): void {
    clearTimeout(watch)
    const ended = current
    current = undefined
    if (ended !== undefined) end(ended)
  }

  /** Handles the death of the worker: all queries that were asked fail, and later ones get a new worker. */
  function lose(cause: unknown): void {
    thread = undefined
    refuseAll(queryFailed(cause))
    if (!closed) starting = startLater()
  }

  function startLater(): NodeJS.Timeout {
    return setTimeout(running, START_AFTER_MS).unref()
  }

  function running(): BackgroundThread | undefined {
    clearTimeout(starting)
    if (!closed) thread ??= start()
    return thread
  }

  /**
   * Abandons the current query, which is too slow. A running query cannot be stopped from outside, so its worker is abandoned too, and a new worker
   * runs the waiting queries.
   */
  function giveUp(): void {
    const leaving = thread
    thread = undefined
    if (leaving !== undefined) void leave(leaving)
    const message = 'This query took too long. Narrow it and try again.'
    endCurrent(({ reject }) => reject(new AppError('unavailable', message, { reason: 'query_too_slow' })))
  }

  function leave(leaving: BackgroundThread): Promise<void> {
    Atomics.store(leaving.left, 0, 1)
    return leaving.end()
  }

  function send(asked: Pending): void {
    const asking = running()
    asking?.ask({ sql: asked.sql, parameters: asked.parameters }).then(
      (answer) => {
        // Ignores the result of an abandoned worker, which can still respond.
        if (asking !== thread || asked !== current) return
        endCurrent(({ resolve, reject }) => ('error' in answer ? reject(receivedError(answer)) : resolve(answer.rows)))
      },
      // The rejection is ignored here, because `onEnd` handles a worker that dies.
      () => {},
    )
  }

  function ask({ sql, parameters }: BackgroundRequest): Promise<unknown[]> {
    if (closed) return Promise.reject(stopping())
    return new Promise((resolve, reject) => {
      current = { sql, parameters, resolve, reject }
      send(current)
      watchCurrent()
    })
  }

  function refuseAll(failure: AppError): void {
    turns.refuseWaiting(failure)
    endCurrent(({ reject }) => reject(failure))
  }

  const readers = new Map<string, Kysely<Database>>()
  const of: BackgroundOf = (tenantId, { isPatient = false } = {}) => {
    const key = `${isPatient} ${tenantId}`
    const known = readers.get(key)
    if (known !== undefined) return known
    const reader = readerOver((request) => turns.run({ tenantId }, () => ask(request), { isPatient }))
    if (readers.size >= MAX_KEPT_READERS) readers.clear()
    readers.set(key, reader)
    return reader
  }

  return {
    of,
    close: async () => {
      closed = true
      clearTimeout(starting)
      refuseAll(stopping())
      if (thread === undefined) return
      thread.worker.ref()
      const ended = leave(thread)
      await Promise.race([ended, delay(STOP_PATIENCE_MS, undefined, { ref: false })])
    },
  }
}

type Ask = (request: BackgroundRequest) => Promise<unknown[]>

function readerOver(ask: Ask): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new BackgroundAdapter(),
      createDriver: () => new BackgroundDriver(ask),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new StablePlanCompiler(),
    },
  })
}

function queryFailed(cause: unknown): AppError {
  return new AppError('unavailable', 'The search failed. Try again in a moment.', { cause, reason: 'query_failed' })
}

function stopping(): AppError {
  return new AppError('unavailable', 'The service is stopping.', { reason: 'stopping' })
}

/**
 * Kysely's adapter for the thread. It declares support for several connections, because Kysely would otherwise pass on one query at a time and queue
 * the others itself, without limit and timeout.
 */
class BackgroundAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Kysely's driver for the thread. It runs single reads only, so it has no transactions. */
class BackgroundDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(ask: Ask) {
    this.#connection = {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => ({
        rows: (await ask({ sql, parameters })) as R[],
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
