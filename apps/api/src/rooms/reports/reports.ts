import { type Cursors, newestFirst, type Page, type PageQuery } from '../../http/pagination.ts'
import { actorKey } from '../../lib/actor.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change/change.ts'
import { requireRoom } from '../../store/change/quota.ts'
import type { Store } from '../../store/store.ts'
import { tagKey } from '../businesses/businesses.ts'
import { getTenant } from '../identity/identity.ts'
import { createJob } from '../jobs/jobs.ts'
import { intervalOf, requireAsOf } from './interval.rules.ts'
import { reportJob } from './reports.jobs.ts'
import { insertReport, selectReports, toSummary } from './reports.queries.ts'
import { reportQuota } from './reports.quota.ts'
import type { CreateReport, ReportSummary } from './reports.schema.ts'

/*
 * Reports (specification, Phase 12 §4): figures about a stated interval, as of a stated time, each with its meaning. A report is requested once and
 * computed once, by a job. Its parameters and its result are stored and never edited.
 */

/**
 * Requests a report: stores its parameters and queues the job that computes it. Returns the id of the report. Errors: `invalid_request` (interval,
 * zone, as-of), `queue_full`.
 */
export async function requestReport(tx: Tx, input: CreateReport): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { from, to, timeZone = (await getTenant(tx.db, tenantId)).timeZone, asOf = tx.at, filter } = input
  const interval = intervalOf({ from, to, timeZone })
  requireAsOf(asOf, tx.at, interval)
  await requireRoom(tx, reportQuota)
  const id = newId()
  const { id: jobId } = await createJob(tx, { kind: reportJob, input: { reportId: id } })
  const name = input.name ?? `${from} to ${to}`
  const kept = filter.tag === undefined ? filter : { ...filter, tag: tagKey(filter.tag) }
  await insertReport(tx.db, {
    tenant_id: tenantId,
    id,
    job_id: jobId,
    name,
    first_day: from,
    last_day: to,
    time_zone: timeZone,
    starts_at: interval.startsAt,
    ends_at: interval.endsAt,
    as_of: asOf,
    filter_json: JSON.stringify(kept),
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  })
  await tx.record({ subject: { type: 'report', id }, after: { name, from, to, timeZone, asOf, filter: kept, jobId } })
  return { id }
}

/** Lists reports, newest first. */
export async function listReports(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  query: PageQuery,
): Promise<Page<ReportSummary>> {
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['reports', tenantId],
    query,
    fetch: (before, limit) => selectReports(store.reader, { tenantId, before, limit }),
    count: (db) => db.selectFrom('reports').select('id').where('tenant_id', '=', tenantId),
    toItem: toSummary,
  })
}

export { totalColumn } from './figures.rules.ts'
export { getReport } from './reports.queries.ts'
export type { Report } from './reports.schema.ts'
