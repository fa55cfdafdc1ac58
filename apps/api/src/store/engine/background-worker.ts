import { workerData } from 'node:worker_threads'
import { answerRequests } from '../../lib/ask-thread.ts'
import type { BackgroundAnswer, BackgroundData, BackgroundRequest } from './background.ts'
import { openConnection } from './connection.ts'
import { sentError } from './store-errors.ts'

const CHECKPOINT_EVERY_MS = 250
const MAX_KEPT_STATEMENTS = 200
/** Time to wait while another process starts on the same store. Waiting in this thread blocks no request. */
const OPENING_PATIENCE_MS = 5_000

const { file, left }: BackgroundData = workerData
// `mustExist`, because after a move of the store's files no empty store may be created in their place.
const opening = { busyTimeoutMs: OPENING_PATIENCE_MS, mustExist: true }
const connection = openConnection(file, { ...opening, cacheKib: 16 * 1024 })
const checkpointer = openConnection(file, { ...opening, cacheKib: 256 })
connection.pragma('query_only = ON')

const statements = new Map<string, ReturnType<typeof connection.prepare>>()

function statementFor(sql: string) {
  const known = statements.get(sql)
  if (known !== undefined) return known
  if (statements.size >= MAX_KEPT_STATEMENTS) statements.clear()
  const statement = connection.prepare(sql)
  statements.set(sql, statement)
  return statement
}

function answer({ sql, parameters }: BackgroundRequest): BackgroundAnswer {
  if (Atomics.load(left, 0) === 1) return { rows: [] }
  try {
    return { rows: statementFor(sql).all(parameters) }
  } catch (error) {
    return sentError(error)
  }
}

answerRequests(answer, () => {
  clearInterval(checkpoints)
  connection.close()
  checkpointer.close()
})

/** Timer of the checkpoints. A PASSIVE checkpoint never waits for a reader or a writer; pages that it cannot move now are moved next time. */
const checkpoints = setInterval(() => {
  try {
    checkpointer.pragma('wal_checkpoint(PASSIVE)')
  } catch {
    // The store is busy or the disk fails. The failure is ignored, because the log is unchanged and the writer's own checkpoint reports a lasting
    // fault.
  }
}, CHECKPOINT_EVERY_MS)
checkpoints.unref()
