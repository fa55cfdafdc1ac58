import { z } from 'zod'
import { recordId } from '../../http/text.ts'
import { defineJobKind, shortfallOf } from '../jobs/jobs.ts'
import { endScan } from './fetching/end-scan.ts'
import { runScan } from './fetching/run-scan.ts'
import { selectOpenJobs } from './scans/scans.queries.ts'
import { reevaluateScans } from './upkeep/reevaluate.ts'

/** Includes waits for a slot and for hosts. */
const SCAN_TIMEOUT_MS = 1_800_000

/**
 * Fetches the pages of one accepted scan. Only `POST /scans` creates this job. A scan that ended blocked, incomplete or deferred is a successful job.
 */
export const websiteScan = defineJobKind({
  kind: 'website-scan',
  title: 'Fetch pages of a website',
  permission: 'scanning.fetch',
  input: z.strictObject({ scanId: recordId }),
  isOffered: false,
  timeoutMs: SCAN_TIMEOUT_MS,
  maxAttempts: 1,
  isCancellable: true,
  touches:
    'Sends GET requests to the website of one prospect by an adapter that the operator loaded; writes facts of its pages.',
  run: (context, { scanId }) => runScan(context, scanId),
  onEnd: (tx, { scanId }, end) => endScan(tx, scanId, end),
  openRequests: selectOpenJobs,
  shortfallIn: ({ state, reasons }) => shortfallOf(state, reasons),
})

/** Classifies stored scans again after the rules changed. The upkeep loop queues this job. */
export const scanReevaluation = defineJobKind({
  kind: 'scan-reevaluation',
  title: 'Judge stored scans by the present rules',
  permission: 'scanning.fetch',
  input: z.strictObject({}),
  isOffered: false,
  timeoutMs: SCAN_TIMEOUT_MS,
  maxAttempts: 3,
  isCancellable: true,
  touches: 'Reads facts of stored scans; makes classes and states less certain. Fetches nothing.',
  run: reevaluateScans,
})
