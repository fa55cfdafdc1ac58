import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { giveWay } from '../../../lib/give-way.ts'
import { openThreadStore } from '../../../store/thread-store.ts'
import { AnalysisCancelled, analyseFile } from './analyse-file.ts'
import type { AnalysisAnswer, AnalysisOrder, AnalysisThreadData } from './run-analysis.ts'
import { createSuppressionCheck } from './suppressed-values.ts'

const CACHE_KIB = 2_048
const PROGRESS_EVERY_MS = 250

const { cancelled, givesWay }: AnalysisThreadData = workerData
if (givesWay) giveWay()

if (parentPort === null) throw new Error('This file runs as a worker thread of an analysis.')
const port = parentPort
port.on('message', (order: AnalysisOrder) => {
  // With the port closed nothing keeps this thread alive.
  if (order === 'stop') port.close()
  else void answer(port, order).then((answered) => port.postMessage(answered))
})

/** Holds neither the file nor the store any more when it answers. */
async function answer(
  port: MessagePort,
  { dataDir, request }: Exclude<AnalysisOrder, 'stop'>,
): Promise<AnalysisAnswer> {
  let toldAt = performance.now()
  const progress = (bytes: number) => {
    if (performance.now() - toldAt < PROGRESS_EVERY_MS) return
    toldAt = performance.now()
    port.postMessage({ progress: bytes } satisfies AnalysisAnswer)
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
    // No content of the file: only the kinds of faults that the program itself can have.
    const reason = error instanceof AnalysisCancelled ? 'cancelled' : 'failed'
    const detail =
      error instanceof Error ? `${error.name}: ${error.stack?.split('\n').slice(1, 4).join('\n')}` : 'no error'
    return { reason, detail }
  }
}
