import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from '../../../store/connection.ts'
import { kyselyOver } from '../../../store/kysely-over.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { AnalysisCancelled, analyseFile } from './analyse-file.ts'
import type { AnalysisAnswer, AnalysisData } from './run-analysis.ts'
import { createSuppressionCheck } from './suppressed-values.ts'

/** Another program may hold the store for a moment; here a wait holds nobody. */
const PATIENCE_MS = 5_000
const CACHE_KIB = 8_192
const PROGRESS_EVERY_MS = 250

const port = parentPort
if (port === null) throw new Error('This file runs as a worker thread of an analysis.')

const { dataDir, request, cancelled }: AnalysisData = workerData
const connection = openConnection(join(dataDir, STORE_FILE), { readonly: true, busyTimeoutMs: PATIENCE_MS })
connection.pragma(`cache_size = -${CACHE_KIB}`)

let toldAt = performance.now()
const progress = (bytes: number) => {
  if (performance.now() - toldAt < PROGRESS_EVERY_MS) return
  toldAt = performance.now()
  port.postMessage({ progress: bytes } satisfies AnalysisAnswer)
}

try {
  const isCancelled = () => Atomics.load(cancelled, 0) !== 0
  const options = { ...request, isCancelled, progress }
  const db = kyselyOver(connection)
  const isSuppressed = createSuppressionCheck(db, { dataDir, tenantId: request.tenantId })
  const analysis = await analyseFile(db, isSuppressed, options)
  port.postMessage({ analysis } satisfies AnalysisAnswer)
} catch (error) {
  // No content of the file: only the kinds of faults that the program itself can have.
  const reason = error instanceof AnalysisCancelled ? 'cancelled' : 'failed'
  const detail =
    error instanceof Error ? `${error.name}: ${error.stack?.split('\n').slice(1, 4).join('\n')}` : 'no error'
  port.postMessage({ reason, detail } satisfies AnalysisAnswer)
} finally {
  connection.close()
}
