import { actorRef } from '../../../lib/actor.ts'
import { dayCounts } from '../../../store/change/day-counts.ts'
import type { Db } from '../../../store/database.ts'
import { inList } from '../../../store/engine/dialect.ts'
import { jsonColumn, readTexts } from '../../../store/json-column.ts'
import type { ExtractionResultTable, ExtractionTable } from '../contacts.table.ts'
import { limitsSchema } from '../enablement/enablement.schema.ts'
import { type Extraction, notReadSchema, reasonsSchema, storedCountsSchema } from './extractions.schema.ts'

export type ExtractionKey = { tenantId: string; id: string }

export const readReasons = jsonColumn(reasonsSchema)
const readNotRead = jsonColumn(notReadSchema)
const readCounts = jsonColumn(storedCountsSchema)
const readLimits = jsonColumn(limitsSchema)

export type StoredExtraction = Omit<Extraction, 'counts' | 'examples' | 'undecided' | 'limits'> & {
  applied: Extraction['limits']['applied']
  stored: ReturnType<typeof readCounts>
}

export async function insertExtraction(
  db: Db,
  extraction: ExtractionTable,
  result: Omit<ExtractionResultTable, 'tenant_id' | 'extraction_id'>,
): Promise<void> {
  await db.insertInto('extractions').values(extraction).execute()
  const key = { tenant_id: extraction.tenant_id, extraction_id: extraction.id }
  await db
    .insertInto('extraction_results')
    .values({ ...key, ...result })
    .execute()
}

export async function updateExtraction(
  db: Db,
  { tenantId, id }: ExtractionKey,
  changed: Partial<Omit<ExtractionResultTable, 'tenant_id' | 'extraction_id'>>,
): Promise<void> {
  await db
    .updateTable('extraction_results')
    .set(changed)
    .where('tenant_id', '=', tenantId)
    .where('extraction_id', '=', id)
    .execute()
}

function extractionsWithResults(db: Db) {
  return db
    .selectFrom('extractions as e')
    .innerJoin('extraction_results as r', (join) =>
      join.onRef('r.tenant_id', '=', 'e.tenant_id').onRef('r.extraction_id', '=', 'e.id'),
    )
    .leftJoin('users as u', 'u.id', 'e.requested_by')
    .selectAll('e')
    .select(['r.state', 'r.reasons', 'r.not_read', 'r.counts', 'r.ended_at', 'r.emptied_at', 'u.name as actor_name'])
}

type Row = Awaited<ReturnType<ReturnType<typeof extractionsWithResults>['execute']>>[number]

export async function findExtraction(db: Db, { tenantId, id }: ExtractionKey): Promise<StoredExtraction | undefined> {
  const row = await extractionsWithResults(db)
    .where('e.tenant_id', '=', tenantId)
    .where('e.id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : toExtraction(row)
}

/** Returns extractions, newest first; of the whole tenant if `businessIds` is undefined. */
export async function selectExtractions(
  db: Db,
  wanted: {
    tenantId: string
    businessIds: readonly string[] | undefined
    before: string | undefined
    limit: number
  },
): Promise<StoredExtraction[]> {
  const { before, limit } = wanted
  const rows = await extractionsOf(db, wanted)
    .$if(before !== undefined, (query) => query.where('e.id', '<', before ?? ''))
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toExtraction)
}

export function extractionsOf(
  db: Db,
  { tenantId, businessIds }: { tenantId: string; businessIds: readonly string[] | undefined },
) {
  return extractionsWithResults(db)
    .where('e.tenant_id', '=', tenantId)
    .$if(businessIds !== undefined, (query) => query.where('e.business_id', 'in', inList(businessIds ?? [])))
}

function toExtraction(row: Row): StoredExtraction {
  return {
    id: row.id,
    businessId: row.business_id,
    scanIds: readTexts(row.scan_ids),
    state: row.state,
    reasons: readReasons(row.reasons),
    extractorVersion: row.extractor_version,
    policyVersion: row.policy_version,
    applied: readLimits(row.limits),
    notRead: readNotRead(row.not_read),
    stored: readCounts(row.counts),
    requestedBy: actorRef(row.requested_by, row.actor_name),
    requestedAt: row.requested_at,
    endedAt: row.ended_at,
    jobId: row.job_id,
    emptiedAt: row.emptied_at,
  }
}

/** Requested extractions of each day. */
export const extractionCounts = dayCounts('extraction_counts', ['requested'])

/** Returns the jobs of extractions that have not ended. */
export async function selectOpenJobs(db: Db, tenantId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('extraction_results as r')
    .innerJoin('extractions as e', (join) =>
      join.onRef('e.tenant_id', '=', 'r.tenant_id').onRef('e.id', '=', 'r.extraction_id'),
    )
    .select('e.job_id')
    .where('r.tenant_id', '=', tenantId)
    .where('r.ended_at', 'is', null)
    .orderBy('r.extraction_id')
    .limit(limit)
    .execute()
  return rows.flatMap(({ job_id }) => job_id ?? [])
}
