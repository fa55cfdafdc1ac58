import { z } from 'zod'
import { recordId } from '../../../http/text.ts'
import { defineJobKind } from '../../jobs/jobs.ts'
import { runBulk } from './run-bulk.ts'

const TIMEOUT_MS = 1_800_000

/** Job that runs a confirmed bulk action. After an interruption the next attempt continues it. */
export const bulkReview = defineJobKind({
  kind: 'bulk-review',
  title: 'Bulk action on prospects',
  permission: 'review.bulk',
  input: z.strictObject({ bulkId: recordId }),
  isOffered: false,
  timeoutMs: TIMEOUT_MS,
  maxAttempts: 1,
  isCancellable: true,
  touches: 'Reviews, assigns or tags the prospects of a frozen selection, each with its audit event.',
  run: (context, { bulkId }) => runBulk(context, bulkId),
})
