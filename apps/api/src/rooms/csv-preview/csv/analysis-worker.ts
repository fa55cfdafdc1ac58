import { closeSync, openSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { answerRequests } from '../../../lib/ask-thread.ts'
import { giveWay } from '../../../lib/give-way.ts'
import { openThreadStore } from '../../../store/thread-store.ts'
import { AnalysisCancelled, analyseFile } from './analyse-file.ts'
import { type HeldContent, packContent, readHeld } from './held-content.ts'
import { readFrom } from './read-at.ts'
import { readWindow } from './read-window.ts'
import type { AnalysisAnswer, AnalysisOrder, AnalysisThreadData } from './run-analysis.ts'
import { createSuppressionCheck } from './suppressed-values.ts'

const CACHE_KIB = 2_048
const PROGRESS_EVERY_MS = 250

const { cancelled, givesWay }: AnalysisThreadData = workerData
if (givesWay) giveWay()

answerRequests(answer)

/** Analyses one file, or reads a window of one. Closes the file and the store before it responds. */
async function answer(order: AnalysisOrder, note: (bytes: number) => void): Promise<AnalysisAnswer> {
  let toldAt = performance.now()
  const progress = (bytes: number) => {
    if (performance.now() - toldAt < PROGRESS_EVERY_MS) return
    toldAt = performance.now()
    note(bytes)
  }
  try {
    const { dataDir } = order
    const { db, close } = openThreadStore({ dataDir, cacheKib: CACHE_KIB })
    try {
      const { tenantId } = 'window' in order ? order.window : order.request
      const suppression = createSuppressionCheck(db, { dataDir, tenantId })
      if ('window' in order) return { rows: await readWindow(db, suppression, readHeld(order.content), order.window) }
      const isCancelled = () => Atomics.load(cancelled, 0) !== 0
      const analysis = await analyseFile(db, suppression, { ...order.request, isCancelled, progress })
      return { analysis, content: contentOf(order.request.path, order.maxPackedBytes) }
    } finally {
      close()
    }
  } catch (error) {
    // The reason names only the kind of failure, because the message can contain content of the file.
    const reason = error instanceof AnalysisCancelled ? 'cancelled' : 'failed'
    const detail =
      error instanceof Error ? `${error.name}: ${error.stack?.split('\n').slice(1, 4).join('\n')}` : 'no error'
    return { reason, detail }
  }
}

function contentOf(path: string, maxPackedBytes: number): HeldContent {
  const fd = openSync(path, 'r')
  try {
    return packContent(readFrom(fd), maxPackedBytes)
  } finally {
    closeSync(fd)
  }
}
