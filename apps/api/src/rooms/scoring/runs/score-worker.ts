import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../../lib/app-error.ts'
import { createPauses, giveWay } from '../../../lib/give-way.ts'
import { openThreadStore, type ThreadReader } from '../../../store/thread-store.ts'
import { collectPreview } from '../previews/collect-preview.ts'
import { collectRun, RunStopped } from './collect-run.ts'
import type { ScoreThreadData, ScoreThreadMessage } from './score-thread.data.ts'
import { requireWhole, writeGeneration } from './write-generation.ts'

/*
 * Worker thread of a recalculation or a full preview. It reads all records in one snapshot before it writes, because an open snapshot prevents a
 * checkpoint of the write-ahead log.
 */

/** Size of the SQLite page cache. It is small, because each page is read once, in the order of ids. */
const CACHE_KIB = 8_192
const PROGRESS_EVERY_MS = 250

if (parentPort === null) throw new Error('This file runs as a worker thread of scoring.')
const port = parentPort
const data: ScoreThreadData = workerData

class Abandoned extends Error {}

function goOn(): void {
  if (Atomics.load(data.stop, 0) !== 0) throw new Abandoned()
}

function tell(message: ScoreThreadMessage): void {
  port.postMessage(message)
}

function progressSeldom(): (done: number, total: number) => void {
  let toldAt = 0
  return (done, total) => {
    if (performance.now() - toldAt < PROGRESS_EVERY_MS) return
    toldAt = performance.now()
    tell({ type: 'progress', done, total })
  }
}

/** Runs the work on one snapshot of the store. */
async function inView<T>(work: (db: ThreadReader['db']) => Promise<T>): Promise<T> {
  const reader = openThreadStore({ dataDir: data.dataDir, cacheKib: CACHE_KIB })
  try {
    reader.holdView()
    return await work(reader.db)
  } finally {
    reader.close()
  }
}

async function work(): Promise<void> {
  const watch = { onProgress: progressSeldom(), pause: createPauses(), goOn }
  if (data.mode === 'preview') {
    tell({ type: 'preview', collected: await inView((db) => collectPreview(db, data, watch)) })
    return
  }
  const collected = await inView((db) => collectRun(db, data, watch))
  const { dataDir, turn, files, now } = data
  const store = openThreadStore({ dataDir, turn, files, clock: () => new Date(now) })
  try {
    await writeGeneration(store, data, collected, goOn)
  } finally {
    store.close()
  }
  await inView((db) => requireWhole(db, data, collected))
  tell({ type: 'run', collected: collected.told })
}

giveWay()
try {
  await work()
} catch (error) {
  if (error instanceof RunStopped) tell({ type: 'stopped', because: error.message })
  else if (error instanceof AppError) tell({ type: 'failed', code: error.code, message: error.message })
  else if (!(error instanceof Abandoned))
    tell({ type: 'failed', code: null, message: error instanceof Error ? `${error.stack}` : String(error) })
} finally {
  port.close()
}
