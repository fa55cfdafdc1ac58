import type { UserActor } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Tx } from '../../../store/change/change.ts'
import { getActiveBusiness, getBusiness } from '../../businesses/businesses.ts'
import { createJob, type JobKind } from '../../jobs/jobs.ts'
import { countHealth } from '../health/health.queries.ts'
import { businessRecords } from '../purposes.ts'
import { getSourceRow } from '../registry/source-state.ts'
import { outcomeSchema, type QueryRequest, type StoredOutcome } from '../sources.schema.ts'
import { newQuery } from './ask-source.ts'
import { findQuery, insertQuery } from './permits.queries.ts'
import { judge } from './permits.ts'

/**
 * Returns the reason why a query about this business must not be sent now; undefined if it may be sent. `askSource` calls it in the change of every
 * permit.
 */
export async function businessPrevents(tx: Tx, businessId: string): Promise<string | undefined> {
  const business = await getBusiness(tx.db, tx.actor.tenantId, businessId)
  if (business.status !== 'active') return 'business_not_active'
  return business.doNotContact === null ? undefined : 'suppressed'
}

/** A requested query, as it is stored with its Idempotency-Key. `jobId`: null for a query that was refused at once. */
export type Requested = { queryId: string; jobId: string | null }

/**
 * Queries a source of business records about one business. A query that cannot be sent is stored with its outcome. Any other query becomes a job,
 * whose result contains the outcome. Errors: `not_found`, `business_not_active`, `invalid_request` (the query), `queue_full`.
 */
export async function requestQuery(
  tx: Tx,
  actor: UserActor,
  adapters: LoadedAdapters,
  kind: JobKind<{ queryId: string }>,
  sourceId: string,
  { query }: QueryRequest,
): Promise<Requested> {
  const { businessId } = query
  await getSourceRow(tx.db, actor.tenantId, sourceId)
  await getActiveBusiness(tx, businessId)
  const prevented = await businessPrevents(tx, businessId)
  const judged = await judge(tx, adapters, {
    sourceId,
    number: undefined,
    purpose: businessRecords,
    query,
    target: null,
    attempt: 1,
  })
  const refusal: StoredOutcome | undefined =
    prevented === undefined
      ? 'refusal' in judged
        ? judged.refusal
        : undefined
      : { outcome: 'unavailable', reason: prevented }
  const id = newId()
  const number = judged.source?.row.contract_version ?? 1
  const row = newQuery(tx, { id, sourceId, number, purpose: businessRecords.name, businessId })
  const about = { queryId: id, contractVersion: number, purpose: businessRecords.name, records: query.maxRecords }
  if (refusal !== undefined) {
    await countHealth(tx.db, { tenantId: actor.tenantId, sourceId }, tx.at, { refused: 1 })
    await insertQuery(tx.db, { ...row, outcome: JSON.stringify(refusal), ended_at: tx.at })
    await tx.record({ subject: { type: 'source', id: sourceId }, businessId, after: { ...about, ...refusal } })
    return { queryId: id, jobId: null }
  }
  const { id: jobId } = await createJob(tx, { kind, input: { queryId: id } })
  await insertQuery(tx.db, { ...row, request: JSON.stringify(query), job_id: jobId })
  await tx.record({ subject: { type: 'source', id: sourceId }, businessId, after: { ...about, jobId } })
  return { queryId: id, jobId }
}

/** Returns the outcome of a query that was refused at once. */
export async function getRefusal(db: Tx['db'], tenantId: string, queryId: string): Promise<StoredOutcome> {
  const outcome = (await findQuery(db, tenantId, queryId))?.outcome
  return outcome == null ? { outcome: 'unavailable', reason: 'refused' } : readOutcome(outcome)
}

export function readOutcome(json: string): StoredOutcome {
  return outcomeSchema.parse(JSON.parse(json))
}
