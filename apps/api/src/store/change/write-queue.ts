import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Statement } from 'better-sqlite3'
import type { Turns } from '../../lib/loop-budget.ts'
import type { Connection } from '../engine/connection.ts'
import { storeFailure } from '../engine/failures.ts'
import { storeErrorKind } from '../engine/store-errors.ts'
import { giveTurn, newWriteTurn, type WriterPriority, want, wantNoMore } from '../engine/writer-priority.ts'

/**
 * `MAX_BATCH`: maximum number of changes per commit. `MAX_BATCH_MS`: time after which no further change is added, so that a batch never blocks the
 * event loop for long.
 */
const MAX_BATCH = 128
const MAX_BATCH_MS = 15
/** Time after which no further change is added to a batch of background work, because the commit itself takes some milliseconds. */
const MAX_BACKGROUND_BATCH_MS = 3
/** Time for which waiting changes go first although background work has its turn. Without a limit, a constant load would postpone it for ever. */
const MAX_DEFERRED_MS = 100
/** Maximum time that a change waits for another writer, such as a job's thread or another process (a command line, a backup). */
const BUSY_PATIENCE_MS = 5_000
const BUSY_STEP_MS = 1

export type Work<T> = () => Promise<Outcome<T>>
/** Result of work. `keep: false` rolls back the writes of the work without an error, because nothing had to change. */
export type Outcome<T> = { keep: boolean; value: T; beforeCommit?: BeforeCommit[]; afterCommit?: (() => void)[] }
/**
 * Work that runs in the transaction after all changes of the batch. A failure rolls back the whole batch, so it must not depend on the work of one
 * change.
 */
export type BeforeCommit = () => Promise<void>

type Settled = { settle: () => void; keep: boolean; beforeCommit: BeforeCommit[]; fail: (error: unknown) => void }
type Waiting = {
  attempt: (isFirst: boolean) => Promise<Settled>
  fail: (error: unknown) => void
  turns?: Turns | undefined
}

export type WriteQueue = {
  /** runs `work` in the next transaction; resolves when the transaction is durable, rejects when it is rolled back */
  write<T>(work: Work<T>): Promise<T>
  /** like `write`, for background work: it waits until no other change waits, and for its turn of the event loop if it has `turns` */
  writeBehind<T>(work: Work<T>, turns?: Turns): Promise<T>
  /** number of changes that wait for the next commit, without those of background work */
  waiting(): number
  /** number of changes of background work that wait for their turn */
  waitingBehind(): number
  /** number of committed batches; caches compare it to detect changes */
  commits(): number
  /** resolves when all pending changes are settled */
  idle(): Promise<void>
}

export type WriteQueueOptions = {
  busyPatienceMs?: number
  maxBatchMs?: number
  /** called after every commit, before the promises of its changes resolve */
  onCommit?: () => void
  /** priority for the write lock, shared with the other threads that write this store */
  turn?: WriterPriority
  /** called before every transaction; throws if nothing may be written, because the files of the store were moved */
  requirePlace?: () => void
  /**
   * If true, threads of higher priority write first. The queue blocks its thread while it waits, so it is only for threads that serve no requests.
   */
  givesWay?: boolean
}

/**
 * Creates the only writer of a thread. Changes that arrive during a commit share the next commit. Each runs in a savepoint, so that its failure never
 * affects another change, and its promise resolves only when the commit is on disk. The first change of a transaction has no savepoint, because
 * SQLite copies every page that is written within one. Changes run one after the other. Their work must await nothing but this store, because every
 * other writer waits for it.
 */
export function createWriteQueue(connection: Connection, options: WriteQueueOptions = {}): WriteQueue {
  const { busyPatienceMs = BUSY_PATIENCE_MS, maxBatchMs = MAX_BATCH_MS, onCommit, requirePlace } = options
  const { turn: priority = newWriteTurn(), givesWay = false } = options
  const step = transactionSteps(connection)
  const waiting: Waiting[] = []
  const behind: Waiting[] = []
  let draining: Promise<void> | undefined
  /** true while the first of `behind` waits for the turn of background work */
  let isAsking = false
  /** time at which the turn was given, if it is not used yet */
  let turnSince: number | undefined
  let commits = 0

  function enqueue<T>(queue: Waiting[], work: Work<T>, turns?: Turns): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      queue.push({
        attempt: (isFirst) => inTransaction({ connection, step, work, resolve, reject, isFirst }),
        fail: reject,
        turns,
      })
      if (queue === waiting) draining ??= drainSoon()
      else askForTurn()
    })
  }

  function askForTurn(): void {
    if (isAsking || turnSince !== undefined || behind.length === 0) return
    isAsking = true
    void Promise.resolve(behind[0]?.turns?.turn()).then(() => {
      isAsking = false
      turnSince = performance.now()
      draining ??= drainSoon()
    })
  }

  /**
   * Commits batches until no change waits, and then a batch of background work, if it has its turn. It yields to the event loop before each batch, so
   * that concurrent requests are committed together and other requests are served between two batches.
   */
  async function drainSoon(): Promise<void> {
    do {
      await nextTurn()
      const deferredMs = turnSince === undefined ? 0 : performance.now() - turnSince
      if (waiting.length === 0 || deferredMs > MAX_DEFERRED_MS) {
        turnSince = undefined
        await commitBatch(behind, MAX_BACKGROUND_BATCH_MS)
      } else await commitBatch(waiting, maxBatchMs)
    } while (waiting.length > 0 || turnSince !== undefined)
    draining = undefined
    askForTurn()
  }

  async function commitBatch(queue: Waiting[], maxMs: number): Promise<void> {
    try {
      requirePlace?.()
      if (givesWay) giveTurn(priority)
      await begin(connection, step, busyPatienceMs, givesWay ? undefined : priority)
    } catch (error) {
      const failure = storeFailure(error)
      for (const { fail } of queue.splice(0)) fail(failure)
      return
    }
    const done: Settled[] = []
    let current: Waiting | undefined
    const turns = queue[0]?.turns
    turns?.begin()
    try {
      const startedAt = performance.now()
      do {
        current = queue.shift()
        if (current === undefined) break
        done.push(await current.attempt(done.length === 0))
        current = undefined
      } while (connection.inTransaction && done.length < MAX_BATCH && performance.now() - startedAt < maxMs)
      for (const { beforeCommit } of done) for (const callback of beforeCommit) await callback()
      const isKept = done.some(({ keep }) => keep)
      if (isKept) {
        step('COMMIT')
        commits += 1
        if (onCommit !== undefined) runCallback(onCommit)
      } else if (connection.inTransaction) step('ROLLBACK')
      turns?.mark()
    } catch (error) {
      undo(connection)
      const failure = storeFailure(error)
      for (const { fail } of done) fail(failure)
      current?.fail(failure)
      return
    }
    for (const { settle } of done) settle()
  }

  return {
    write: (work) => enqueue(waiting, work),
    writeBehind: (work, turns) => enqueue(behind, work, turns),
    waiting: () => waiting.length,
    waitingBehind: () => behind.length,
    commits: () => commits,
    idle: async () => {
      while (draining !== undefined || behind.length > 0) await (draining ?? nextTurn())
    },
  }
}

type Step = (
  text: 'BEGIN IMMEDIATE' | 'COMMIT' | 'ROLLBACK' | 'SAVEPOINT change' | 'ROLLBACK TO change' | 'RELEASE change',
) => void

/** Returns a function that runs BEGIN, COMMIT and the savepoint statements. Each is prepared once. */
function transactionSteps(connection: Connection): Step {
  const statements = new Map<string, Statement<[]>>()
  return (text) => {
    const statement = statements.get(text) ?? connection.prepare<[]>(text)
    statements.set(text, statement)
    statement.run()
  }
}

/** Rolls back an open transaction. On a failing disk even the rollback can fail; the next batch then rolls back before it begins. */
function undo(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK')
  } catch {
    // This failure is ignored, because the first failure already rejects all waiting changes.
  }
}

/**
 * Begins a transaction. If another thread or process has the write lock, waits for it without blocking the event loop. Meanwhile `priority` makes threads
 * of lower priority stop writing.
 */
async function begin(connection: Connection, step: Step, patienceMs: number, priority?: WriterPriority): Promise<void> {
  if (hasBegun(connection, step)) return
  const patienceEnds = performance.now() + patienceMs
  if (priority !== undefined) want(priority)
  try {
    while (performance.now() < patienceEnds) {
      await delay(BUSY_STEP_MS)
      if (hasBegun(connection, step)) return
    }
    step('BEGIN IMMEDIATE')
  } finally {
    if (priority !== undefined) wantNoMore(priority)
  }
}

/** Begins a transaction and returns true. Returns false if another connection has the write lock. */
function hasBegun(connection: Connection, step: Step): boolean {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    step('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (storeErrorKind(error) === 'busy') return false
    throw error
  }
}

type Attempt<T> = {
  connection: Connection
  step: Step
  work: Work<T>
  resolve: (value: T) => void
  reject: (error: unknown) => void
  /** true for the first work of its transaction, which has no savepoint and is rolled back with the transaction */
  isFirst: boolean
}

/**
 * Runs the work of one change inside the open transaction. If the work fails, only its savepoint is rolled back, or the transaction if the work is
 * the first one. A failure that ended the whole transaction (SQLite rolls back by itself on a full disk) is rethrown to the batch.
 */
async function inTransaction<T>({ connection, step, work, resolve, reject, isFirst }: Attempt<T>): Promise<Settled> {
  const undoWork = () => {
    if (isFirst) return step('ROLLBACK')
    step('ROLLBACK TO change')
    step('RELEASE change')
  }
  if (!isFirst) step('SAVEPOINT change')
  try {
    const { keep, value, beforeCommit = [], afterCommit = [] } = await work()
    if (!keep) undoWork()
    else if (!isFirst) step('RELEASE change')
    const settle = () => {
      for (const callback of keep ? afterCommit : []) runCallback(callback)
      resolve(value)
    }
    return { keep, settle, beforeCommit: keep ? beforeCommit : [], fail: reject }
  } catch (error) {
    if (!connection.inTransaction) throw error
    undoWork()
    const failure = storeFailure(error)
    return { keep: false, settle: () => reject(failure), beforeCommit: [], fail: () => reject(failure) }
  }
}

/** Runs a callback after the commit. Its errors are only reported, because the change is durable and the queue must continue. */
function runCallback(callback: () => void): void {
  try {
    callback()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
