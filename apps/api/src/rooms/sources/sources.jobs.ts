import { businessRecordsQuerySchema } from '@prospect/adapter-contract/business-records'
import { z } from 'zod'
import { recordId } from '../../http/text.ts'
import { AppError } from '../../lib/app-error.ts'
import { slicesOf } from '../../lib/slices.ts'
import { defineJobKind, type JobContext, shortfallOf } from '../jobs/jobs.ts'
import { askSource } from './asking/ask-source.ts'
import { endQueriesOf } from './asking/end-queries.ts'
import { findQuery, selectOpenJobs } from './asking/permits.queries.ts'
import { businessPrevents, readOutcome } from './asking/queries.ts'
import { businessRecords } from './purposes.ts'
import { deleteDueRaws } from './records/raw-deletion.ts'
import { storeAnswers } from './records/source-records.ts'
import { findSource } from './registry/registry.queries.ts'
import { contractOf } from './registry/source-state.ts'

const QUERY_TIMEOUT_MS = 3_600_000
const RETENTION_TIMEOUT_MS = 1_800_000
/** Number of records that one change stores. */
const RECORDS_AT_ONCE = 100

/**
 * Sends one accepted query and stores the returned records as source records of the business. The job's result is the outcome of the query. If a run
 * was interrupted after it took the permit for a request, the query is not repeated, because the request may have been sent.
 */
export const sourceQuery = defineJobKind({
  kind: 'source-query',
  title: 'Query a source',
  permission: 'sources.query',
  input: z.strictObject({ queryId: recordId }),
  isOffered: false,
  timeoutMs: QUERY_TIMEOUT_MS,
  maxAttempts: 1,
  isCancellable: true,
  touches:
    'Sends the requests of one query by an adapter that the operator loaded; writes source records of one prospect.',
  run: async (context, { queryId }) => {
    const { store, adapters, tenantId, actor, signal } = context
    const query = await findQuery(store.reader, tenantId, queryId)
    if (query === undefined) throw new AppError('not_found', 'This query no longer exists.')
    if (query.outcome !== null) return { queryId, ...readOutcome(query.outcome) }
    const { source_id: sourceId, business_id: businessId, request } = query
    if (businessId === null || request === null) throw new Error('A query of business records names a business.')
    const {
      answers,
      traces: _traces,
      contractVersion: _version,
      ...outcome
    } = await askSource(
      { store, adapters, actor, signal },
      {
        sourceId,
        purpose: businessRecords,
        query: businessRecordsQuerySchema.parse(JSON.parse(request)),
        businessId,
        queryId,
        prevents: (tx) => businessPrevents(tx, businessId),
        identityOf: ({ reference }) => reference,
      },
    )
    const stored = await storeInParts(context, { sourceId, queryId, businessId }, answers)
    return { ...outcome, ...stored }
  },
  onEnd: (tx, _input, end) => endQueriesOf(tx, end),
  openRequests: (db, tenantId, limit) => selectOpenJobs(db, tenantId, businessRecords.name, limit),
  shortfallIn: ({ outcome, reason, isComplete }) =>
    shortfallOf(outcome === 'answered' && isComplete === false ? 'incomplete' : outcome, reason),
})

/**
 * Stores the returned records in several changes. Each change checks the status and the suppression of the business again, so that a later
 * suppression stops the remaining records.
 */
async function storeInParts(
  { effect, tenantId }: JobContext,
  about: { sourceId: string; queryId: string; businessId: string },
  answers: Parameters<typeof storeAnswers>[2],
) {
  const sums = { stored: 0, known: 0, suppressed: 0, notStored: 0 }
  let part = 0
  for (const records of slicesOf(answers, RECORDS_AT_ONCE)) {
    const added = await effect(`records ${part++}`, { action: 'source_record.add' }, async (tx) => {
      const reason = await businessPrevents(tx, about.businessId)
      const source = await findSource(tx.db, { tenantId, id: about.sourceId })
      const isRetained = source !== undefined && contractOf(source).rawRetention !== undefined
      const counts =
        reason === undefined && isRetained
          ? await storeAnswers(tx, about, records)
          : { stored: 0, known: 0, suppressed: 0 }
      const notStored = reason === undefined ? 0 : records.length
      await tx.record({
        subject: { type: 'source', id: about.sourceId },
        businessId: about.businessId,
        after: { queryId: about.queryId, ...counts, notStored, ...(reason === undefined ? {} : { reason }) },
      })
      return { ...counts, notStored }
    })
    sums.stored += added.stored
    sums.known += added.known
    sums.suppressed += added.suppressed
    sums.notStored += added.notStored
  }
  return sums
}

/** Deletes raw texts whose retention period has ended. The upkeep loop of this room queues the job. */
export const rawRetention = defineJobKind({
  kind: 'raw-retention',
  title: 'Delete expired raw texts',
  permission: 'sources.delete_raw',
  input: z.strictObject({}),
  timeoutMs: RETENTION_TIMEOUT_MS,
  maxAttempts: 3,
  isCancellable: true,
  touches: 'Deletes the raw text of source records whose retention class has ended; their hashes and facts stay.',
  run: async ({ store, actor, progress }) => {
    const swept = await deleteDueRaws(store, actor, ({ deleted, failed }) =>
      progress({ done: deleted + failed, total: null, unit: 'records' }),
    )
    return { ...swept }
  },
})
