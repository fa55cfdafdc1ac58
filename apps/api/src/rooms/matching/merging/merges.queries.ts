import { type RawBuilder, sql } from 'kysely'
import { actorRef } from '../../../lib/actor.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import type { Db } from '../../../store/database.ts'
import { unindexed } from '../../../store/engine/dialect.ts'
import { failureWords } from './merge-failures.ts'
import type { MergeSnapshot } from './merge-snapshot.ts'
import {
  type Attempt,
  type ListMerges,
  type MergeSummary,
  readOutcome,
  readReadBack,
  readSnapshot,
} from './merges.schema.ts'
import { EMPTIED, type MergeAttemptTable, type MergeSnapshotTable, type MergeTable } from './merges.table.ts'

export async function insertMergeSnapshot(db: Db, row: MergeSnapshotTable): Promise<void> {
  await db.insertInto('merge_snapshots').values(row).execute()
}

/** Reads a snapshot and throws if its hash does not match. Errors: `business_not_active` (one of its records was erased since). */
export async function readMergeSnapshot(
  db: Db,
  tenantId: string,
  id: string,
): Promise<{ snapshot: MergeSnapshot; hash: string }> {
  const row = await db
    .selectFrom('merge_snapshots')
    .select(['content', 'content_hash'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new Error(`The merge snapshot ${id} is missing.`)
  if (row.content === EMPTIED) throw new AppError('business_not_active', 'One of the two records was erased.')
  const snapshot = readSnapshot(row.content)
  if (fingerprint(snapshot) !== row.content_hash) throw new Error(`The merge snapshot ${id} differs from its hash.`)
  return { snapshot, hash: row.content_hash }
}

export async function insertAttempt(db: Db, row: MergeAttemptTable): Promise<void> {
  await db.insertInto('merge_attempts').values(row).execute()
}

export async function endAttempt(
  db: Db,
  tenantId: string,
  id: string,
  end: Pick<MergeAttemptTable, 'status' | 'ended_at'> &
    Partial<Pick<MergeAttemptTable, 'stage' | 'failure' | 'merge_id'>>,
): Promise<void> {
  await db
    .updateTable('merge_attempts')
    .set(end)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('status', '=', 'begun')
    .execute()
}

/**
 * Requires that the attempt is still open. A change that ends an attempt calls this first, so that an attempt already marked as failed cannot
 * succeed.
 */
export async function requireBegun(db: Db, tenantId: string, id: string): Promise<void> {
  const row = await db
    .selectFrom('merge_attempts')
    .select('status')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.status !== 'begun') throw new Error('This attempt was ended before it finished.')
}

/** Returns open attempts whose start is before `from` or after `until`. Usually there are none. */
export function selectBegunOutside(
  db: Db,
  { tenantId, from, until, limit }: { tenantId: string; from: string; until: string; limit: number },
): Promise<MergeAttemptTable[]> {
  const begun = db
    .selectFrom('merge_attempts')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`status = 'begun'`)
  return begun
    .where('begun_at', '<=', from)
    .unionAll(begun.where('begun_at', '>', until))
    .limit(limit)
    .execute()
}

export async function insertMerge(db: Db, row: MergeTable): Promise<void> {
  await db.insertInto('merges').values(row).execute()
}

export async function endMerge(
  db: Db,
  tenantId: string,
  id: string,
  end: Pick<MergeTable, 'reversed_at' | 'reversed_by' | 'reversal_reason' | 'reversal'>,
): Promise<void> {
  await db
    .updateTable('merges')
    .set({ status: 'reversed', ...end })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

const namesOfBoth = [
  's.name as survivor_name',
  's.do_not_contact as survivor_blocked',
  'l.name as loser_name',
  'l.do_not_contact as loser_blocked',
] as const

type Both = Pick<MergeTable, 'survivor_id' | 'loser_id'> & {
  survivor_name: string
  survivor_blocked: 0 | 1
  loser_name: string
  loser_blocked: 0 | 1
}

function bothOf(row: Both): Pick<MergeSummary, 'survivor' | 'loser'> {
  return {
    survivor: { id: row.survivor_id, name: row.survivor_name, doNotContact: row.survivor_blocked === 1 },
    loser: { id: row.loser_id, name: row.loser_name, doNotContact: row.loser_blocked === 1 },
  }
}

function mergesWithNames(db: Db) {
  return db
    .selectFrom('merges as m')
    .innerJoin('businesses as s', (join) =>
      join.onRef('s.tenant_id', '=', 'm.tenant_id').onRef('s.id', '=', 'm.survivor_id'),
    )
    .innerJoin('businesses as l', (join) =>
      join.onRef('l.tenant_id', '=', 'm.tenant_id').onRef('l.id', '=', 'm.loser_id'),
    )
    .innerJoin('merge_snapshots as n', (join) =>
      join.onRef('n.tenant_id', '=', 'm.tenant_id').onRef('n.id', '=', 'm.snapshot_id'),
    )
    .leftJoin('users as u', 'u.id', 'm.merged_by')
    .leftJoin('users as r', 'r.id', 'm.reversed_by')
    .selectAll('m')
    .select([
      ...namesOfBoth,
      'u.name as merger_name',
      'r.name as reverser_name',
      'n.content_hash as snapshot_hash',
      'n.created_at as snapshot_at',
    ])
}

export type MergeRow = Awaited<ReturnType<typeof getMergeRow>>

export async function getMergeRow(db: Db, tenantId: string, id: string) {
  return mergesWithNames(db)
    .where('m.tenant_id', '=', tenantId)
    .where('m.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

export async function selectMerges(
  db: Db,
  tenantId: string,
  {
    status,
    before,
    limit,
    side,
  }: Pick<ListMerges, 'status'> & {
    before: string | undefined
    limit: number
    side?: { column: 'survivor_id' | 'loser_id'; businessId: string }
  },
): Promise<MergeRow[]> {
  let query = mergesWithNames(db).where('m.tenant_id', '=', tenantId)
  if (side !== undefined) query = query.where(`m.${side.column}`, '=', side.businessId)
  if (status !== undefined) query = query.where('m.status', '=', status)
  if (before !== undefined) query = query.where('m.id', '<', before)
  return query.orderBy('m.id', 'desc').limit(limit).execute()
}

/** Selects the merges of a tenant, or those in which a business is either record. Each is found by the index of its side. */
export function mergesOf(
  tenantId: string,
  { status, businessId }: Pick<ListMerges, 'status' | 'businessId'>,
): RawBuilder<unknown> {
  const inStatus = status === undefined ? sql`` : sql`AND status = ${status}`
  const of = (condition: RawBuilder<unknown>) =>
    sql`SELECT id FROM merges WHERE tenant_id = ${tenantId} ${condition} ${inStatus}`
  if (businessId === undefined) return sql`(${of(sql``)})`
  return sql`(${of(sql`AND survivor_id = ${businessId}`)} UNION ALL ${of(sql`AND loser_id = ${businessId}`)})`
}

/**
 * Returns the merge that must be reversed before this one: a merge of the survivor into another record, or the latest merge into the survivor.
 * Returns undefined if there is none. Audit sequences define the order, because ids and times come from a clock that may have been set back.
 */
export async function findMergeOnTop(
  db: Db,
  { tenant_id: tenantId, id, survivor_id: survivorId }: Pick<MergeTable, 'tenant_id' | 'id' | 'survivor_id'>,
): Promise<string | undefined> {
  const ended = await db
    .selectFrom('merges')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('loser_id', '=', survivorId)
    .where('status', '=', 'merged')
    .executeTakeFirst()
  if (ended !== undefined) return ended.id
  const merges = await db
    .selectFrom('merges as m')
    .select((eb) => [
      'm.id',
      // Sequence of the audit event of the merge. It is selected by the loser's own event, because no later merge into the loser is possible. A
      // search for the loser's id alone would also read event details, which an erasure can remove.
      eb
        .selectFrom('audit_events as e')
        .select('e.sequence')
        .whereRef('e.tenant_id', '=', 'm.tenant_id')
        .whereRef('e.business_id', '=', 'm.loser_id')
        .where('e.action', '=', 'matching.merge')
        .orderBy('e.sequence', 'desc')
        .limit(1)
        .as('place'),
    ])
    .where('m.tenant_id', '=', tenantId)
    .where('m.survivor_id', '=', survivorId)
    // Hides `status` from the indexes, because SQLite would otherwise read every effective merge of the tenant and filter by survivor.
    .where(unindexed(sql.ref('m.status')), '=', 'merged')
    .execute()
  const last = merges.reduce((one, other) => ((other.place ?? 0) > (one.place ?? 0) ? other : one))
  return last.id === id ? undefined : last.id
}

export function toMergeSummary(row: MergeRow): MergeSummary {
  const { reversed_at: at, reversed_by: by, reversal_reason: reason, reversal } = row
  return {
    id: row.id,
    status: row.status,
    suggestionId: row.suggestion_id,
    snapshotId: row.snapshot_id,
    ...bothOf(row),
    mergedAt: row.merged_at,
    mergedBy: actorRef(row.merged_by, row.merger_name),
    reason: row.reason,
    readBack: readReadBack(row.read_back),
    reversal:
      at === null || by === null || reason === null || reversal === null
        ? null
        : { at, by: actorRef(by, row.reverser_name), reason, outcome: readOutcome(reversal) },
  }
}

export async function selectAttempts(
  db: Db,
  tenantId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Attempt[]> {
  let query = db
    .selectFrom('merge_attempts as t')
    .innerJoin('businesses as s', (join) =>
      join.onRef('s.tenant_id', '=', 't.tenant_id').onRef('s.id', '=', 't.survivor_id'),
    )
    .innerJoin('businesses as l', (join) =>
      join.onRef('l.tenant_id', '=', 't.tenant_id').onRef('l.id', '=', 't.loser_id'),
    )
    .leftJoin('users as u', 'u.id', 't.begun_by')
    .selectAll('t')
    .select([...namesOfBoth, 'u.name as beginner_name'])
    .where('t.tenant_id', '=', tenantId)
  if (before !== undefined) query = query.where('t.id', '<', before)
  const rows = await query.orderBy('t.id', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    suggestionId: row.suggestion_id,
    mergeId: row.merge_id,
    snapshotId: row.snapshot_id,
    ...bothOf(row),
    begunAt: row.begun_at,
    begunBy: actorRef(row.begun_by, row.beginner_name),
    status: row.status,
    stage: row.stage,
    failure: failureWords(row.failure),
    endedAt: row.ended_at,
  }))
}
