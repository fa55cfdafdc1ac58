import { AppError } from '../../../lib/app-error.ts'
import { answerRequests } from '../../../lib/ask-thread.ts'
import { createPauses, giveWay } from '../../../lib/give-way.ts'
import { openThreadStore, type ThreadReader } from '../../../store/thread-store.ts'
import { collectPreview } from '../previews/collect-preview.ts'
import { collectRun, RunStopped } from './collect-run.ts'
import type { PreviewCollected, RunCollected, ScoreAnswer, ScoreOrder, ScoreProgress } from './score-thread.data.ts'
import { requireWhole, writeGeneration } from './write-generation.ts'

/*
 * Worker thread of a recalculation or a full preview. It reads all records in one snapshot before it writes, because an open snapshot prevents a
 * checkpoint of the write-ahead log.
 */

/** Size of the SQLite page cache. It is small, because each page is read once, in the order of ids. */
const CACHE_KIB = 8_192
const PROGRESS_EVERY_MS = 250

class Abandoned extends Error {}

type Note = (progress: ScoreProgress) => void

function seldom(note: Note): (done: number, total: number) => void {
  let notedAt = 0
  return (done, total) => {
    if (performance.now() - notedAt < PROGRESS_EVERY_MS) return
    notedAt = performance.now()
    note({ done, total })
  }
}

/** Runs the work on one snapshot of the store. */
async function inView<T>(dataDir: string, work: (db: ThreadReader['db']) => Promise<T>): Promise<T> {
  const reader = openThreadStore({ dataDir, cacheKib: CACHE_KIB })
  try {
    reader.holdView()
    return await work(reader.db)
  } finally {
    reader.close()
  }
}

async function work(order: ScoreOrder, note: Note): Promise<RunCollected | PreviewCollected> {
  const goOn = () => {
    if (Atomics.load(order.stop, 0) !== 0) throw new Abandoned()
  }
  const watch = { onProgress: seldom(note), pause: createPauses(), goOn }
  const { dataDir, turn, files, now } = order
  if (order.mode === 'preview') return inView(dataDir, (db) => collectPreview(db, order, watch))
  const collected = await inView(dataDir, (db) => collectRun(db, order, watch))
  const store = openThreadStore({ dataDir, turn, files, clock: () => new Date(now) })
  try {
    await writeGeneration(store, order, collected, goOn)
  } finally {
    store.close()
  }
  await inView(dataDir, (db) => requireWhole(db, order, collected))
  return collected.told
}

function answerTo(error: unknown): ScoreAnswer {
  if (error instanceof Abandoned) return { type: 'abandoned' }
  if (error instanceof RunStopped) return { type: 'stopped', because: error.message }
  if (error instanceof AppError) return { type: 'failed', code: error.code, message: error.message }
  return { type: 'failed', code: null, message: error instanceof Error ? `${error.stack}` : String(error) }
}

giveWay()
answerRequests<ScoreOrder, ScoreAnswer, ScoreProgress>((order, note) =>
  work(order, note).then((collected): ScoreAnswer => ({ type: 'collected', collected }), answerTo),
)
