import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Statement } from 'better-sqlite3'
import type { Connection } from '../engine/connection.ts'
import { isBusy, storeFailure } from '../engine/failures.ts'
import { giveTurn, newWriteTurn, type WriteTurn, want, wantNoMore } from '../engine/write-turn.ts'

/** A batch is cut here, so that one commit never holds the event loop for long. */
const MAX_BATCH = 128
const MAX_BATCH_MS = 15
/** How long a change waits for somebody else who writes: a thread of a job, another program (a command line, a backup). */
const BUSY_PATIENCE_MS = 5_000
const BUSY_STEP_MS = 1

export type Work<T> = () => Promise<Outcome<T>>
/** `keep: false` undoes whatever the work wrote, without being an error: nothing had to change. */
export type Outcome<T> = { keep: boolean; value: T; beforeCommit?: BeforeCommit[]; afterCommit?: (() => void)[] }
/** Runs in the transaction when every work of the batch is done. A failure undoes the whole batch, so it must not be one work's fault. */
export type BeforeCommit = () => Promise<void>

export type WriteOptions = {
  /** The work leaves nothing behind but what it writes to the store and what it answers, so it may be undone and run once more. */
  repeatable?: boolean
}

type Settled = { settle: () => void; keep: boolean; beforeCommit: BeforeCommit[]; fail: (error: unknown) => void }
type Waiting = {
  attempt: (isBare: boolean) => Promise<Settled>
  fail: (error: unknown) => void
  repeatable: boolean
}
/** `isBare`: it had no savepoint of its own */
type Done = Settled & { waiting: Waiting; isBare: boolean }

export type WriteQueue = {
  /** Runs `work` in the next transaction; resolves when that is durable, rejects when it is undone. */
  write<T>(work: Work<T>, options?: WriteOptions): Promise<T>
  /** How many changes wait for the next commit. */
  waiting(): number
  /** How many batches were committed: whoever keeps something derived from the store knows by it when that is old. */
  commits(): number
  /** Resolves when everything that was waiting is settled. */
  idle(): Promise<void>
}

export type WriteQueueOptions = {
  busyPatienceMs?: number
  maxBatchMs?: number
  /** after every commit, before anybody is told of it */
  onCommit?: () => void
  /** shared with the other threads that write this store */
  turn?: WriteTurn
  /** before every transaction: throws where nothing may be written */
  requirePlace?: () => void
  /** lets threads that do not give way write first; it stands still meanwhile, so only where nobody is served */
  givesWay?: boolean
}

/**
 * The one writer of its thread. Changes that arrive while others are being committed share the next commit; one's failure never touches
 * another's, and there is no answer before the commit is on disk. Works run one after the other; they must wait for nothing but
 * this store, or every writer waits with them.
 *
 * A work has a savepoint, for which SQLite copies every page that it changes, unless all that stands in the transaction before
 * it can be run again, and it too. Where such a bare one fails or keeps nothing the transaction is rolled back, and all that was
 * in it waits at the head of the queue once more, now for a savepoint each. So a work is run twice at most (decision 51).
 */
export function createWriteQueue(connection: Connection, options: WriteQueueOptions = {}): WriteQueue {
  const { busyPatienceMs = BUSY_PATIENCE_MS, maxBatchMs = MAX_BATCH_MS, onCommit, requirePlace } = options
  const { turn = newWriteTurn(), givesWay = false } = options
  const step = transactionSteps(connection)
  const waiting: Waiting[] = []
  let draining: Promise<void> | undefined
  let commits = 0

  function write<T>(work: Work<T>, { repeatable = false }: WriteOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({
        attempt: (isBare) => inTransaction({ connection, step, work, resolve, reject, isBare }),
        fail: reject,
        repeatable,
      })
      draining ??= drainSoon()
    })
  }

  /**
   * One turn of the event loop before each batch: requests that arrived together are committed together, and between two batches the
   * loop serves others.
   */
  async function drainSoon(): Promise<void> {
    do {
      await nextTurn()
      await commitBatch()
    } while (waiting.length > 0)
    draining = undefined
  }

  async function commitBatch(): Promise<void> {
    try {
      requirePlace?.()
      if (givesWay) giveTurn(turn)
      await begin(connection, step, busyPatienceMs, givesWay ? undefined : turn)
    } catch (error) {
      const failure = storeFailure(error)
      for (const { fail } of waiting.splice(0)) fail(failure)
      return
    }
    const done: Done[] = []
    let current: Waiting | undefined
    try {
      const startedAt = performance.now()
      do {
        current = waiting.shift()
        if (current === undefined) break
        const isBare = needsNoSavepoint(done.at(-1), current)
        done.push({ ...(await current.attempt(isBare)), waiting: current, isBare })
        current = undefined
      } while (connection.inTransaction && done.length < MAX_BATCH && performance.now() - startedAt < maxBatchMs)
      if (!connection.inTransaction && done.length > 1) return runAgain(done)
      for (const { beforeCommit } of done) for (const callback of beforeCommit) await callback()
      const isKept = done.some(({ keep }) => keep)
      if (isKept) {
        step('COMMIT')
        commits += 1
        if (onCommit !== undefined) runCallback(onCommit)
      } else if (connection.inTransaction) step('ROLLBACK')
    } catch (error) {
      undo(connection)
      const failure = storeFailure(error)
      for (const { fail } of done) fail(failure)
      current?.fail(failure)
      return
    }
    for (const { settle } of done) settle()
  }

  /** The last of them took the transaction back with it; none of them has been answered. */
  function runAgain(done: readonly Done[]): void {
    waiting.unshift(...done.map((one) => ({ ...one.waiting, repeatable: false })))
  }

  return {
    write,
    waiting: () => waiting.length,
    commits: () => commits,
    idle: async () => {
      while (draining !== undefined) await draining
    },
  }
}

/** The first of a transaction has it for itself; whoever follows it goes with it. */
function needsNoSavepoint(before: Done | undefined, work: Waiting): boolean {
  return before === undefined || (before.isBare && before.waiting.repeatable && work.repeatable)
}

type Step = (
  text: 'BEGIN IMMEDIATE' | 'COMMIT' | 'ROLLBACK' | 'SAVEPOINT change' | 'ROLLBACK TO change' | 'RELEASE change',
) => void

/** The statements around every change, prepared once. */
function transactionSteps(connection: Connection): Step {
  const statements = new Map<string, Statement>()
  return (text) => {
    const statement = statements.get(text) ?? connection.prepare(text)
    statements.set(text, statement)
    statement.run()
  }
}

/** On a failing disk even this can fail; then the next batch does it before it begins. */
function undo(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK')
  } catch {
    // What failed first is told to everybody who waits.
  }
}

/** Another thread or program may hold the write lock: wait without holding the event loop. `turn`: those who give way are told of it. */
async function begin(connection: Connection, step: Step, patienceMs: number, turn?: WriteTurn): Promise<void> {
  if (hasBegun(connection, step)) return
  const patienceEnds = performance.now() + patienceMs
  if (turn !== undefined) want(turn)
  try {
    while (performance.now() < patienceEnds) {
      await delay(BUSY_STEP_MS)
      if (hasBegun(connection, step)) return
    }
    step('BEGIN IMMEDIATE')
  } finally {
    if (turn !== undefined) wantNoMore(turn)
  }
}

/** False when somebody else has the write lock. */
function hasBegun(connection: Connection, step: Step): boolean {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    step('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

type Attempt<T> = {
  connection: Connection
  step: Step
  work: Work<T>
  resolve: (value: T) => void
  reject: (error: unknown) => void
  /** no savepoint of its own: to undo it undoes the transaction */
  isBare: boolean
}

/**
 * Runs one work inside the open transaction. A failure of the work undoes its own savepoint, or the transaction where it has none; a
 * failure that took the whole transaction with it (SQLite rolls back by itself on a full disk) is thrown on to the batch.
 */
async function inTransaction<T>({ connection, step, work, resolve, reject, isBare }: Attempt<T>): Promise<Settled> {
  const undoWork = () => {
    if (isBare) return step('ROLLBACK')
    step('ROLLBACK TO change')
    step('RELEASE change')
  }
  if (!isBare) step('SAVEPOINT change')
  try {
    const { keep, value, beforeCommit = [], afterCommit = [] } = await work()
    if (!keep) undoWork()
    else if (!isBare) step('RELEASE change')
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

/** The change is durable, whatever becomes of this: a bug here must not stop the queue. */
function runCallback(callback: () => void): void {
  try {
    callback()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
