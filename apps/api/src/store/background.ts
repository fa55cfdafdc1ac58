import { Worker } from 'node:worker_threads'
import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely, type QueryResult, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Database } from './database.ts'

/** What goes to the worker and what comes back. */
export type BackgroundRequest = { id: number; sql: string; parameters: readonly unknown[] }
export type BackgroundAnswer = { id: number; rows: unknown[] } | { id: number; error: string }

/** A question that takes longer than this is given up, and the worker with it. */
const MAX_QUERY_MS = 15_000
/** Questions that may wait for the worker; more are refused at once. */
const MAX_WAITING = 200

export type Background = { db: Kysely<Database>; close(): Promise<void> }

/**
 * A second reader, in a thread of its own. The driver is synchronous, so whatever may take long (text search, rare
 * combinations of filters, counting) asks here and the event loop goes on answering. The thread also moves the write-ahead
 * log into the database file, so that no commit has to wait for it.
 */
export function createBackground(file: string): Background {
  type Pending = { resolve: (rows: unknown[]) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }
  const pending = new Map<number, Pending>()
  let lastId = 0
  let closed = false
  let worker = start()

  function start(): Worker {
    const started = new Worker(new URL('./background-worker.ts', import.meta.url), { workerData: { file } })
    started.unref()
    started.on('message', (answer: BackgroundAnswer) => {
      const asked = take(answer.id)
      if (asked === undefined) return
      if ('error' in answer) asked.reject(new Error(`A background query failed: ${answer.error}`))
      else asked.resolve(answer.rows)
    })
    started.on('error', (cause) => giveUp('query_failed', cause))
    return started
  }

  function take(id: number): Pending | undefined {
    const asked = pending.get(id)
    pending.delete(id)
    if (asked !== undefined) clearTimeout(asked.timer)
    return asked
  }

  /** The worker is lost or too slow: whoever waits is told, and a fresh worker takes over. */
  function giveUp(reason: string, cause?: unknown): void {
    const failure = new AppError('unavailable', 'This question took too long to answer. Narrow it and ask again.', { cause, reason })
    for (const id of [...pending.keys()]) take(id)?.reject(failure)
    if (closed) return
    const lost = worker
    worker = start()
    lost.removeAllListeners()
    void lost.terminate()
  }

  function ask(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    if (pending.size >= MAX_WAITING) {
      return Promise.reject(new AppError('unavailable', 'Too many searches are waiting. Try again in a moment.', { reason: 'query_queue_full' }))
    }
    return new Promise((resolve, reject) => {
      const id = ++lastId
      const timer = setTimeout(() => giveUp('query_too_slow'), MAX_QUERY_MS)
      pending.set(id, { resolve, reject, timer })
      worker.postMessage({ id, sql, parameters } satisfies BackgroundRequest)
    })
  }

  return {
    db: new Kysely<Database>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new BackgroundDriver(ask),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    }),
    close: async () => {
      closed = true
      giveUp('closing')
      await worker.terminate()
    },
  }
}

type Ask = (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>

/** Kysely's view of the thread: single reads only, so no transactions. */
class BackgroundDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(ask: Ask) {
    this.#connection = {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => ({ rows: (await ask(sql, parameters)) as R[] }),
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
