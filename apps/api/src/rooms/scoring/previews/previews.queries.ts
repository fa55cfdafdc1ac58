import { actorRef } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import type { DueAt } from '../../../store/change/sweep.ts'
import type { Db } from '../../../store/database.ts'
import { latestJob } from '../../jobs/jobs.ts'
import type { VersionKey } from '../rule-sets/rule-sets.queries.ts'
import type { PreviewMoveTable, PreviewTable } from '../scoring.table.ts'
import { type Preview, type PreviewMove, storedAgainstSchema, storedPreviewSchema } from './previews.schema.ts'

type Key = { tenantId: string; id: string }

export async function insertPreview(db: Db, row: PreviewTable): Promise<void> {
  await db.insertInto('scoring_previews').values(row).execute()
}

export async function completePreview(
  db: Db,
  { tenantId, id }: Key,
  columns: Pick<PreviewTable, 'result' | 'algorithm_version' | 'completed_at' | 'expires_at'>,
): Promise<void> {
  await db.updateTable('scoring_previews').set(columns).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

export async function insertMoves(db: Db, rows: readonly PreviewMoveTable[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('scoring_preview_moves')
      .values([...rows])
      .execute()
}

/**
 * Returns the newest unexpired full preview of exactly this content, or the preview with the given id. With `isEnded: false` it may still be running;
 * otherwise it must have a result.
 */
export async function findCurrentPreview(
  db: Db,
  { tenantId, ruleSetId, number }: VersionKey,
  wanted: { contentHash: string; at: string; id?: string; isEnded?: false },
): Promise<{ id: string } | undefined> {
  const { contentHash, at, id, isEnded } = wanted
  return db
    .selectFrom('scoring_previews')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('rule_set_id', '=', ruleSetId)
    .where('number', '=', number)
    .where('content_hash', '=', contentHash)
    .$if(isEnded !== false, (query) => query.where('result', 'is not', null))
    .where('expires_at', '>', at)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

function previews(db: Db, tenantId: string) {
  return db
    .selectFrom('scoring_previews as p')
    .leftJoin('users as u', 'u.id', 'p.created_by')
    .selectAll('p')
    .select('u.name as actor_name')
    .select([latestJob('p', 'id').as('attempt_id'), latestJob('p', 'status').as('job_status')])
    .where('p.tenant_id', '=', tenantId)
}

/** Returns one preview. Errors: `not_found`, also for a preview that has expired. */
export async function getPreviewRow(db: Db, { tenantId, id }: Key, at: string) {
  const row = await previews(db, tenantId).where('p.id', '=', id).executeTakeFirstOrThrow(notFound)
  if (row.expires_at <= at) throw notFound()
  return row
}

export async function getPreview(db: Db, key: Key, at: string): Promise<Preview> {
  const row = await getPreviewRow(db, key, at)
  const { job_status: job = 'queued' } = row
  const status = row.result !== null || job === 'succeeded' ? 'complete' : (job ?? 'queued')
  return {
    id: row.id,
    ruleSetId: row.rule_set_id,
    version: row.number,
    contentHash: row.content_hash,
    against: row.against === null ? null : storedAgainstSchema.parse(JSON.parse(row.against)),
    jobId: row.attempt_id ?? row.job_id,
    status,
    algorithmVersion: row.algorithm_version,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.actor_name),
    completedAt: row.completed_at,
    expiresAt: row.expires_at,
    result: row.result === null ? null : storedPreviewSchema.parse(JSON.parse(row.result)),
  }
}

type MovesWanted = {
  tenantId: string
  previewId: string
  matrix: 'priority' | 'eligibility'
  from: string | undefined
  to: string | undefined
}

/** Returns the largest score changes of one pair (result before, result after), or of all pairs in turn, with the names of the records. */
export async function selectMoves(
  db: Db,
  wanted: MovesWanted & { after: { from: string; to: string; place: number } | undefined; limit: number },
): Promise<(PreviewMove & { place: number })[]> {
  const { after, limit } = wanted
  const rows = await movesOf(db, wanted)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('m.from_cell', 'm.to_cell', 'm.place'),
          '>',
          tuple(after?.from ?? '', after?.to ?? '', after?.place ?? 0),
        ),
      ),
    )
    .orderBy('m.from_cell')
    .orderBy('m.to_cell')
    .orderBy('m.place')
    .limit(limit)
    .execute()
  return rows.map((row) => {
    const isBlocked = row.do_not_contact === 1
    const range = (low: number | null, high: number | null) =>
      low === null || high === null || isBlocked ? null : { low, high }
    return {
      place: row.place,
      businessId: row.business_id,
      name: row.name,
      doNotContact: isBlocked,
      from: row.from_cell,
      to: row.to_cell,
      before: range(row.from_low, row.from_high),
      after: range(row.to_low, row.to_high),
    }
  })
}

/** Selects the moves that a list shows on all its pages. */
export function movesOf(db: Db, { tenantId, previewId, matrix, from, to }: MovesWanted) {
  return db
    .selectFrom('scoring_preview_moves as m')
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'm.tenant_id').onRef('b.id', '=', 'm.business_id'),
    )
    .select([
      'm.place',
      'm.business_id',
      'm.from_cell',
      'm.to_cell',
      'm.from_low',
      'm.from_high',
      'm.to_low',
      'm.to_high',
    ])
    .select(['b.name', 'b.do_not_contact'])
    .where('m.tenant_id', '=', tenantId)
    .where('m.preview_id', '=', previewId)
    .where('m.matrix', '=', matrix)
    .$if(from !== undefined, (query) => query.where('m.from_cell', '=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('m.to_cell', '=', to ?? ''))
}

export async function selectExpiredPreviews(db: Db, { tenantId, now, limit }: DueAt): Promise<{ id: string }[]> {
  return db
    .selectFrom('scoring_previews')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('expires_at', '<=', now)
    .limit(limit)
    .execute()
}

/** Deletes a limited number of a preview's moves, and the preview once no move is left. Returns true if the preview was deleted. */
export async function deletePreview(db: Db, { tenantId, id }: Key, limit: number): Promise<boolean> {
  const moves = await db
    .selectFrom('scoring_preview_moves')
    .select(['matrix', 'from_cell', 'to_cell', 'place'])
    .where('tenant_id', '=', tenantId)
    .where('preview_id', '=', id)
    .limit(limit)
    .execute()
  for (const move of moves) {
    await db
      .deleteFrom('scoring_preview_moves')
      .where('tenant_id', '=', tenantId)
      .where('preview_id', '=', id)
      .where('matrix', '=', move.matrix)
      .where('from_cell', '=', move.from_cell)
      .where('to_cell', '=', move.to_cell)
      .where('place', '=', move.place)
      .execute()
  }
  if (moves.length === limit) return false
  await db.deleteFrom('scoring_previews').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
  return true
}
