import { sql } from 'kysely'
import { actorRef } from '../../lib/actor.ts'
import { AppError, notFound } from '../../lib/app-error.ts'
import type { Tx } from '../../store/change/change.ts'
import type { Db } from '../../store/database.ts'
import { jsonField, withEmptyField } from '../../store/engine/dialect.ts'
import { tagsOfNobody } from '../businesses/businesses.ts'
import { namesOfMembers } from '../identity/identity.ts'
import { latestJob } from '../jobs/jobs.ts'
import type { ReportFilter } from './figures.queries.ts'
import { peopleIn, withNamesOf } from './figures.rules.ts'
import { type Report, type ReportResult, type ReportSummary, readFigures, readStoredFilter } from './reports.schema.ts'
import type { ReportResultTable, ReportTable } from './reports.table.ts'

type Status = ReportSummary['status']
export type ReportRow = ReportTable & { actor_name: string | null; status: Status | null }

export async function insertReport(db: Db, row: ReportTable): Promise<void> {
  await db.insertInto('reports').values(row).execute()
}

export async function insertReportResult(db: Db, row: ReportResultTable): Promise<void> {
  await db.insertInto('report_results').values(row).execute()
}

/** Selects reports, each with the status of its job's newest attempt. */
function reportsWithStatus(db: Db) {
  return db
    .selectFrom('reports as r')
    .leftJoin('users as u', 'u.id', 'r.created_by')
    .selectAll('r')
    .select(['u.name as actor_name'])
    .select(latestJob('r', 'status').as('status'))
}

/** Returns one report. Errors: `not_found`. */
export async function getReportRow(db: Db, tenantId: string, id: string): Promise<ReportRow> {
  return reportsWithStatus(db)
    .where('r.tenant_id', '=', tenantId)
    .where('r.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/** Returns a page of reports, newest first. Sorts by id, because ids are ordered by time. */
export async function selectReports(
  db: Db,
  wanted: { tenantId: string; before: string | undefined; limit: number },
): Promise<ReportRow[]> {
  const { tenantId, before, limit } = wanted
  return reportsWithStatus(db)
    .where('r.tenant_id', '=', tenantId)
    .$if(before !== undefined, (query) => query.where('r.id', '<', before ?? ''))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the stored result of a report, with the current names of the people in it; a removed member has a pseudonym. */
async function findReportResult(db: Db, tenantId: string, reportId: string): Promise<ReportResult | null> {
  const row = await db
    .selectFrom('report_results')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('report_id', '=', reportId)
    .executeTakeFirst()
  if (row === undefined) return null
  const figures = readFigures(row.figures_json)
  const names = await namesOfMembers(db, tenantId, peopleIn(figures))
  return {
    figures: withNamesOf(figures, names),
    businesses: row.businesses,
    figuresVersion: row.figures_version,
    figuresHash: row.figures_hash,
    computedAt: row.computed_at,
  }
}

/** Returns the stored filter; an erased tag is null. */
function keptFilterOf(row: Pick<ReportTable, 'filter_json'>): ReportSummary['filter'] {
  return readStoredFilter(row.filter_json)
}

/** Returns the filter of a report. Errors: `conflict` (its tag was erased, so the report would count more records than were requested). */
export function filterOf(row: Pick<ReportTable, 'filter_json'>): ReportFilter {
  const { tag, ...filter } = keptFilterOf(row)
  if (tag !== null) return { ...filter, tag }
  throw new AppError(
    'conflict',
    'A record was erased before this report was made, and its tag filter with it. Request it again.',
  )
}

/**
 * Removes, for an erasure, the tag and the name of every report whose filter contains a tag that no record has any more. The figures remain. Returns
 * the ids of those reports.
 */
export async function eraseReports({ db, actor: { tenantId } }: Tx): Promise<string[]> {
  const asked = await db
    .selectFrom('reports')
    .select(['id', jsonField<string>(sql.ref('filter_json'), 'tag').as('tag')])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`${jsonField(sql.ref('filter_json'), 'tag')} IS NOT NULL`)
    .execute()
  const gone = await tagsOfNobody(db, tenantId, asked)
  for (const { id } of gone) {
    await db
      .updateTable('reports')
      .set({
        filter_json: withEmptyField(sql.ref('filter_json'), 'tag'),
        name: sql<string>`first_day || ' to ' || last_day`,
      })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
  }
  return gone.map(({ id }) => id)
}

export function toSummary(row: ReportRow): ReportSummary {
  const filter = keptFilterOf(row)
  return {
    id: row.id,
    jobId: row.job_id,
    name: row.name,
    status: row.status ?? 'queued',
    from: row.first_day,
    to: row.last_day,
    timeZone: row.time_zone,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    asOf: row.as_of,
    filter,
    filterStandsAsOf: Object.keys(filter).length === 0 ? 'no_filter' : 'computation',
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.actor_name),
  }
}

export async function getReport(db: Db, tenantId: string, id: string): Promise<Report> {
  const row = await getReportRow(db, tenantId, id)
  return { ...toSummary(row), result: await findReportResult(db, tenantId, id) }
}
