import { sql } from 'kysely'
import { z } from 'zod'
import { actorRef } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import type { QuotaOwner } from '../../../store/change/quota.ts'
import type { Db } from '../../../store/database.ts'
import { inList } from '../../../store/engine/dialect.ts'
import { preparedInsert } from '../../../store/engine/prepared.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import { type JobStatus, latestJob } from '../../jobs/jobs.ts'
import { reasonCodes } from '../../review-decisions/review-decisions.ts'
import { predicateSchema } from '../queue/predicate.ts'
import type { Bulk } from './bulk.schema.ts'
import {
  type BulkOutcomeTable,
  type BulkParams,
  type BulkPreviewRow,
  type BulkReviewTable,
  outcomeCodes,
} from './bulk.table.ts'

/** A selected record: its id, its stamp at the preview, and the predicted outcome (`changed`, `unchanged` or a code). */
export type SelectedRecord = readonly [id: string, stamp: string | null, predicted: string]
export const readRecords = jsonColumn(z.array(z.tuple([z.string(), z.string().nullable(), z.string()])))

export const readParams: (text: string) => BulkParams = jsonColumn(
  z.object({
    assigneeId: z.string().nullable().optional(),
    tag: z.string().nullable().optional(),
    reasonCode: z.enum(reasonCodes).optional(),
  }),
) as (text: string) => BulkParams

export const readRefused = jsonColumn(
  z.array(z.object({ code: z.enum(outcomeCodes), count: z.number(), examples: z.array(z.string()) })),
)
export const readPredicate = jsonColumn(predicateSchema)
const readReadBack = jsonColumn(z.object({ outcomes: z.number(), events: z.number(), complete: z.boolean() }))

export async function insertPreview(db: Db, row: BulkPreviewRow): Promise<void> {
  await db.insertInto('bulk_previews').values(row).execute()
}

/** Returns one preview. Errors: `not_found`. */
export function getPreviewRow(
  db: Db,
  tenantId: string,
  id: string,
): Promise<BulkPreviewRow & { bulk_id: string | null }> {
  return db
    .selectFrom('bulk_previews as p')
    .leftJoin('bulk_reviews as r', (join) =>
      join.onRef('r.tenant_id', '=', 'p.tenant_id').onRef('r.preview_id', '=', 'p.id'),
    )
    .selectAll('p')
    .select('r.id as bulk_id')
    .where('p.tenant_id', '=', tenantId)
    .where('p.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/** Returns the previews of a person that are neither used nor expired, from the index of previews by person. */
export function openPreviews(db: Db, { tenantId, userId, now }: QuotaOwner) {
  return db
    .selectFrom('bulk_previews as p')
    .where('p.tenant_id', '=', tenantId)
    .where('p.expires_at', '>', now)
    .where('p.created_by', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bulk_reviews as r')
            .select('r.id')
            .whereRef('r.tenant_id', '=', 'p.tenant_id')
            .whereRef('r.preview_id', '=', 'p.id'),
        ),
      ),
    )
}

/** Deletes expired previews that no bulk action uses. */
export async function deleteExpiredPreviews(db: Db, tenantId: string, before: string): Promise<void> {
  await db
    .deleteFrom('bulk_previews')
    .where('tenant_id', '=', tenantId)
    .where('expires_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bulk_reviews as r')
            .select('r.id')
            .whereRef('r.tenant_id', '=', 'bulk_previews.tenant_id')
            .whereRef('r.preview_id', '=', 'bulk_previews.id'),
        ),
      ),
    )
    .execute()
}

export async function insertBulk(db: Db, row: BulkReviewTable): Promise<void> {
  await db.insertInto('bulk_reviews').values(row).execute()
}

export async function endBulk(
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
  end: Pick<BulkReviewTable, 'ended_at' | 'digest' | 'read_back'>,
): Promise<void> {
  await db.updateTable('bulk_reviews').set(end).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

export const insertOutcome = preparedInsert('bulk_outcomes', [
  'tenant_id',
  'bulk_id',
  'place',
  'business_id',
  'outcome',
  'code',
  'before',
  'after',
  'audit_event_id',
])

export type OutcomeSummary = Pick<BulkOutcomeTable, 'place' | 'outcome' | 'code' | 'audit_event_id'>

/** Returns the outcomes of a bulk action so far, in the order of the selection. Their number is limited by the size of the selection. */
export function selectOutcomes(db: Db, tenantId: string, bulkId: string): Promise<OutcomeSummary[]> {
  return db
    .selectFrom('bulk_outcomes')
    .select(['place', 'outcome', 'code', 'audit_event_id'])
    .where('tenant_id', '=', tenantId)
    .where('bulk_id', '=', bulkId)
    .orderBy('place')
    .execute()
}

export function selectOutcomesAt(
  db: Db,
  tenantId: string,
  bulkId: string,
  places: readonly number[],
): Promise<BulkOutcomeTable[]> {
  return db
    .selectFrom('bulk_outcomes')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('bulk_id', '=', bulkId)
    .where('place', 'in', inList(places))
    .execute()
}

/** Returns the outcome of a bulk for one record. */
export function findOutcomeOf(
  db: Db,
  tenantId: string,
  bulkId: string,
  businessId: string,
): Promise<BulkOutcomeTable | undefined> {
  return db
    .selectFrom('bulk_outcomes')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('bulk_id', '=', bulkId)
    .where('business_id', '=', businessId)
    .where('outcome', '=', 'changed')
    .executeTakeFirst()
}

type Counts = { changed: number; unchanged: number; refused: number }
export type BulkRow = BulkReviewTable &
  Pick<BulkPreviewRow, 'action' | 'params' | 'undoes' | 'predicate' | 'excluded' | 'size' | 'max_size' | 'as_of'> & {
    actor_name: string | null
    job_status: JobStatus | null
  } & Counts

function bulks(db: Db) {
  const counted = (outcome: string) => sql<number>`(
    SELECT count(*) FROM bulk_outcomes o WHERE o.tenant_id = r.tenant_id AND o.bulk_id = r.id AND o.outcome = ${outcome})`
  return db
    .selectFrom('bulk_reviews as r')
    .innerJoin('bulk_previews as p', (join) =>
      join.onRef('p.tenant_id', '=', 'r.tenant_id').onRef('p.id', '=', 'r.preview_id'),
    )
    .leftJoin('users as u', 'u.id', 'r.created_by')
    .selectAll('r')
    .select(['p.action', 'p.params', 'p.undoes', 'p.predicate', 'p.excluded', 'p.size', 'p.max_size', 'p.as_of'])
    .select([
      'u.name as actor_name',
      latestJob('r', 'status').as('job_status'),
      counted('changed').as('changed'),
      counted('unchanged').as('unchanged'),
      counted('refused').as('refused'),
    ])
}

/** Returns one bulk action. Errors: `not_found`. */
export function getBulkRow(db: Db, tenantId: string, id: string): Promise<BulkRow> {
  return bulks(db).where('r.tenant_id', '=', tenantId).where('r.id', '=', id).executeTakeFirstOrThrow(notFound)
}

export function bulksOf(db: Db, tenantId: string) {
  return bulks(db).where('r.tenant_id', '=', tenantId)
}

export function selectBulks(
  db: Db,
  { tenantId, before, limit }: { tenantId: string; before: string | undefined; limit: number },
): Promise<BulkRow[]> {
  return bulksOf(db, tenantId)
    .$if(before !== undefined, (query) => query.where('r.id', '<', before ?? ''))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the action of a bulk in the form of the response. */
export function doneTo({ action, params, undoes }: Pick<BulkPreviewRow, 'action' | 'params' | 'undoes'>) {
  const { assigneeId = null, tag = null, reasonCode = null } = readParams(params)
  return { action, assigneeId, tag, reasonCode, undoes }
}

export function selectionOf(
  row: Pick<BulkPreviewRow, 'size' | 'max_size' | 'as_of' | 'excluded' | 'predicate'>,
): Bulk['selection'] {
  return {
    size: row.size,
    max: row.max_size,
    counts: 'matching_set',
    asOf: row.as_of,
    excluded: row.excluded,
    predicate: row.predicate === null ? null : readPredicate(row.predicate),
  }
}

function statusOf({ job_status, ended_at }: Pick<BulkRow, 'job_status' | 'ended_at'>): Bulk['status'] {
  if (ended_at !== null) return 'done'
  return job_status === null || job_status === 'succeeded' ? 'running' : job_status
}

export function toBulk(row: BulkRow): Bulk {
  const { changed, unchanged, refused, size } = row
  return {
    id: row.id,
    ...doneTo(row),
    previewId: row.preview_id,
    jobId: row.job_id,
    correlationId: row.correlation_id,
    status: statusOf(row),
    selection: selectionOf(row),
    counts: { changed, unchanged, refused, notDone: size - changed - unchanged - refused },
    readBack: row.read_back === null ? null : readReadBack(row.read_back),
    digest: row.digest,
    reason: row.reason === '' ? null : row.reason,
    requestedBy: actorRef(row.created_by, row.actor_name),
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}

/** Returns the names of records by id. */
export async function findNames(db: Db, tenantId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('businesses')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', inList(ids))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
