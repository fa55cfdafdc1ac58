import type { Store } from '../../store/store.ts'
import type { Analysis } from './csv/analysis.ts'
import { type ReadFile, type RunOptions, runAnalysis } from './csv/run-analysis.ts'
import type { CreateCsvPreview } from './csv-preview.schema.ts'
import { heldLimits } from './held-previews.ts'
import type { Upload } from './receive-upload.ts'

export type Reading = {
  path: string
  tenantId: string
  query: CreateCsvPreview
  lane: RunOptions['lane']
  signal: AbortSignal
  progress?: (bytes: number) => void
}

/**
 * Analyses an uploaded file with the settings of the query, and returns its content for windows of rows. Errors: `unavailable`; the reason of the
 * abort signal.
 */
export function analyseUpload(store: Store, { path, tenantId, query, ...how }: Reading): Promise<ReadFile> {
  const { encoding, delimiter, quote, header: hasHeader, headerLine, mapping, phoneRegion = null } = query
  const chosen = { encoding, delimiter, quote, hasHeader, headerLine }
  const request = { path, tenantId, chosen, mapping, phoneRegion }
  return runAnalysis({ dataDir: store.dataDir, request, maxPackedBytes: heldLimits.packedBytesEach, ...how })
}

/** Returns counts, size and hash for the audit and for jobs. The result contains no content of the file, not even column names. */
export function countsOf(file: Upload, { columns, totals, fault }: Analysis) {
  const { rows, malformedRows, rowsWithProblems, duplicateRows, matchingRows, doNotContactRows, unknownRows } = totals
  return {
    ...file,
    columns: columns.length,
    rows,
    malformedRows,
    rowsWithProblems,
    duplicateRows,
    matchingRows,
    doNotContactRows,
    unknownRows,
    fault: fault?.code ?? null,
  }
}
