import { z } from 'zod'
import { recordId } from '../../http/text.ts'
import { AppError } from '../../lib/app-error.ts'
import { defineJobKind, type JobContext } from '../jobs/jobs.ts'
import { analyseUpload, countsOf } from './analyse-upload.ts'
import { heldPreviewsOf, type ReadingPreview } from './held-previews.ts'

/** Time limit of the job, long enough for a file of the maximum size on a busy machine. */
const TIMEOUT_MS = 900_000

/**
 * Analyses a large uploaded file for a preview. The job, its events and the audit contain only counts, size and hash; the analysis stays in the
 * memory of this process for some minutes. The function that watches the job's end deletes the file, whatever the outcome.
 */
export const csvPreviewJob = defineJobKind({
  kind: 'csv-preview',
  title: 'Read a CSV file',
  permission: 'sources.preview',
  input: z.strictObject({ previewId: recordId }),
  isOffered: false,
  timeoutMs: TIMEOUT_MS,
  maxAttempts: 1,
  isCancellable: true,
  touches: 'Reads an uploaded file and the contact values of the workspace; stores nothing.',
  run: async (context, { previewId }) => {
    const { store, tenantId, signal, effect } = context
    const held = heldPreviewsOf(store)
    const preview = held.findReading(tenantId, previewId)
    if (preview === undefined) throw notHere()
    const { path, query, file, owner } = preview
    const progress = tellProgress(context, preview)
    const read = await analyseUpload(store, { path, tenantId, query, lane: 'large', signal, progress })
    const counts = countsOf(file, read.analysis)
    await effect('preview', { action: 'source.preview' }, async (tx) => {
      await tx.record({ subject: { type: 'csv_preview', id: previewId }, after: counts })
      return null
    })
    held.hold({ id: previewId, owner, file, phoneRegion: query.phoneRegion ?? null, ...read })
    return counts
  },
})

/**
 * Returns a function that reports the number of bytes read to the job and to the preview. The rate is computed from the first bytes on, so it
 * excludes the start of the analysis.
 */
function tellProgress({ progress }: JobContext, preview: ReadingPreview): (bytes: number) => void {
  const { bytes: total } = preview.file
  let first: { bytes: number; at: number } | undefined
  const tell = (bytesRead: number) => {
    const at = performance.now()
    const seconds = first === undefined ? 0 : (at - first.at) / 1_000
    const bytesPerSecond = first === undefined || seconds === 0 ? null : Math.round((bytesRead - first.bytes) / seconds)
    preview.progress = { bytesRead, bytesPerSecond }
    progress({ done: bytesRead, total, unit: 'bytes' })
    if (bytesRead > 0) first ??= { bytes: bytesRead, at }
  }
  tell(0)
  return tell
}

function notHere(): AppError {
  return new AppError(
    'conflict',
    'The file is no longer available: the server restarted, or the file waited too long. Upload it again.',
  )
}
