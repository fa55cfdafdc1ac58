import { workerData } from 'node:worker_threads'
import { answerRequests } from '../../../lib/ask-thread.ts'
import { giveWay } from '../../../lib/give-way.ts'
import { openThreadStore } from '../../../store/thread-store.ts'
import { AnalysisCancelled, analyseFile } from './analyse-file.ts'
import type { AnalysisAnswer, AnalysisOrder, AnalysisThreadData } from './run-analysis.ts'
import { createSuppressionCheck } from './suppressed-values.ts'

const CACHE_KIB = 2_048
const PROGRESS_EVERY_MS = 250

const { cancelled, givesWay }: AnalysisThreadData = workerData
if (givesWay) giveWay()

answerRequests(answer)

/** Analyses one file. Closes the file and the store before it responds. */
async function answer({ dataDir, request }: AnalysisOrder, note: (bytes: number) => void): Promise<AnalysisAnswer> {
  let toldAt = performance.now()
  const progress = (bytes: number) => {
    if (performance.now() - toldAt < PROGRESS_EVERY_MS) return
    toldAt = performance.now()
    note(bytes)
  }
  try {
    const { db, close } = openThreadStore({ dataDir, cacheKib: CACHE_KIB })
    try {
      const isCancelled = () => Atomics.load(cancelled, 0) !== 0
      const suppression = createSuppressionCheck(db, { dataDir, tenantId: request.tenantId })
      return { analysis: await analyseFile(db, suppression, { ...request, isCancelled, progress }) }
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
