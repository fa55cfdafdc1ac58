import { z } from 'zod'
import { recordId } from '../../http/text.ts'
import { defineJobKind, shortfallOf } from '../jobs/jobs.ts'
import { endExtraction } from './extractions/end-extraction.ts'
import { selectOpenJobs } from './extractions/extractions.queries.ts'
import { runExtraction } from './extractions/run-extraction.ts'

/** Waits for a place count as well. */
const EXTRACTION_TIMEOUT_MS = 900_000

/** Reads the pages of one accepted extraction. Only `POST /extractions` creates one; `unknown`, `blocked` and `failed` are results. */
export const contactExtraction = defineJobKind({
  kind: 'contact-extraction',
  title: 'Extract contacts from pages',
  permission: 'contacts.extract',
  input: z.strictObject({ extractionId: recordId }),
  isOffered: false,
  timeoutMs: EXTRACTION_TIMEOUT_MS,
  maxAttempts: 1,
  isCancellable: true,
  touches: 'Reads pages that scans hold in memory; writes contact candidates of one prospect. Sends nothing.',
  run: (context, { extractionId }) => runExtraction(context, extractionId),
  onEnd: (tx, { extractionId }, end) => endExtraction(tx, extractionId, end),
  openRequests: selectOpenJobs,
  shortfallIn: ({ state, reasons }) => shortfallOf(state, reasons),
})
