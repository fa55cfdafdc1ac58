import { sql } from 'kysely'
import { actorRef } from '../../lib/actor.ts'
import { notFound } from '../../lib/app-error.ts'
import type { Db } from '../../store/database.ts'
import { alongIndex, inList } from '../../store/engine/dialect.ts'
import { preparedRow } from '../../store/engine/prepared.ts'
import type { KeyRange, SuppressionHistoryTable, SuppressionTable } from '../contact-gate/contact-gate.ts'
import { type Term, termStatus } from './entries/review-term.rules.ts'
import { reviewTermOf } from './entries/review-term.ts'
import type { HistoryItem, Suppression } from './suppression.schema.ts'

/** Returns the time at which an entry's review term began. */
export function termBegan({ confirmed_at, created_at }: Pick<SuppressionTable, 'confirmed_at' | 'created_at'>): string {
  return confirmed_at ?? created_at
}

function withActors(db: Db, listed?: Listed) {
  const alias = listed === undefined ? sql`s` : sql`s ${alongIndex(listed)}`
  return db
    .selectFrom(sql<SuppressionTable>`suppressions`.as<'s'>(alias))
    .leftJoin('users as creator', 'creator.id', 's.created_by')
    .leftJoin('users as ender', 'ender.id', 's.ended_by')
    .selectAll('s')
    .select(['creator.name as creator_name', 'ender.name as ender_name'])
}

export type SuppressionRow = SuppressionTable & { creator_name: string | null; ender_name: string | null }

/** Returns one entry of the tenant, with its review term as of `at`. Errors: `not_found`. */
export async function getSuppression(db: Db, tenantId: string, id: string, at: string): Promise<Suppression> {
  const row = await withActors(db).where('s.tenant_id', '=', tenantId).where('s.id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound()
  return toSuppression(row, await reviewTermOf(db, tenantId, at))
}

/** Returns the newest entry with this key whose id is below `before`, and the number of businesses that it marked when it was added. */
export const findEntryBefore = preparedRow<{ tenantId: string; key: string; before: string }>()((db, param) =>
  db
    .selectFrom('suppression_keys as k')
    .innerJoin('suppression_history as h', (join) =>
      join.onRef('h.tenant_id', '=', 'k.tenant_id').onRef('h.suppression_id', '=', 'k.suppression_id'),
    )
    .select(['k.suppression_id as id', 'h.records as marked'])
    .where('k.tenant_id', '=', param('tenantId'))
    .where('k.key', '=', param('key'))
    .where('k.suppression_id', '<', param('before'))
    .where('h.action', '=', 'added')
    .orderBy('k.suppression_id', 'desc')
    .limit(1),
)

/** Condition for entries that have one of these keys, or a key in one of these ranges. */
export type KeySearch = { keys: readonly string[]; ranges: readonly KeyRange[] }

type Listed = 'suppressions_by_kind' | 'suppressions_by_status' | 'suppressions_by_status_and_kind'

/**
 * Returns the index for a filter. Without a named index SQLite reads all entries of the tenant, even if few match the filter, because they are
 * already in the order of the list.
 */
function listedBy({ kind, status }: Pick<SuppressionFilter, 'kind' | 'status'>): Listed | undefined {
  if (kind === undefined) return status === undefined ? undefined : 'suppressions_by_status'
  return status === undefined ? 'suppressions_by_kind' : 'suppressions_by_status_and_kind'
}

type SuppressionFilter = {
  kind: SuppressionTable['kind'] | undefined
  status: SuppressionTable['status'] | undefined
}

type Listing = { tenantId: string; search: KeySearch | undefined } & SuppressionFilter

/** Selects the entries that a list shows on all its pages. */
export function listedSuppressions(db: Db, wanted: Listing) {
  const { tenantId, search, kind, status } = wanted
  return withActors(db, search === undefined ? listedBy(wanted) : undefined)
    .where('s.tenant_id', '=', tenantId)
    .$if(kind !== undefined, (query) => query.where('s.kind', '=', kind ?? 'email'))
    .$if(status !== undefined, (query) => query.where('s.status', '=', status ?? 'active'))
    .$if(search !== undefined, (query) => query.where(hasKey(tenantId, search ?? { keys: [], ranges: [] })))
}

export async function selectSuppressions(
  db: Db,
  wanted: Listing & { before: string | undefined; limit: number },
): Promise<SuppressionRow[]> {
  const { before, limit } = wanted
  return listedSuppressions(db, wanted)
    .$if(before !== undefined, (query) => query.where('s.id', '<', before ?? ''))
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns active entries whose review term began before `pastBefore`, newest first. */
export async function selectPastTerm(
  db: Db,
  wanted: PastTerm & { after: { termBegan: string; id: string } | undefined; limit: number },
): Promise<SuppressionRow[]> {
  const { after, limit } = wanted
  return pastTerm(db, wanted, after?.termBegan)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(${termColumn}, s.id) < (${after?.termBegan}, ${after?.id})`),
    )
    .orderBy(termColumn, 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()
}

type PastTerm = {
  tenantId: string
  search: KeySearch | undefined
  kind: SuppressionTable['kind'] | undefined
  pastBefore: string
}

/** Must equal the expression of the indexes suppressions_by_term and suppressions_by_kind_and_term. */
const termColumn = sql<string>`coalesce(s.confirmed_at, s.created_at)`

/** Selects active entries whose review term began before `pastBefore`, or not after `upTo`, where a page continues. */
export function pastTerm(db: Db, { tenantId, search, kind, pastBefore }: PastTerm, upTo?: string) {
  return (
    withActors(db)
      .where('s.tenant_id', '=', tenantId)
      .where('s.status', '=', sql.lit<'active'>('active'))
      // The term has a single bound, so that a later page starts where the previous page ended.
      .where(termColumn, upTo === undefined ? '<' : '<=', upTo ?? pastBefore)
      .$if(kind !== undefined, (query) => query.where('s.kind', '=', kind ?? 'email'))
      .$if(search !== undefined, (query) => query.where(hasKey(tenantId, search ?? { keys: [], ranges: [] })))
  )
}

function hasKey(tenantId: string, { keys, ranges }: KeySearch) {
  const inRanges = ranges.map(
    ({ from, to }) =>
      sql`UNION SELECT suppression_id FROM suppression_keys WHERE tenant_id = ${tenantId} AND key >= ${from} AND key < ${to}`,
  )
  return sql<boolean>`s.id IN (
    SELECT suppression_id FROM suppression_keys
    WHERE tenant_id = ${tenantId} AND key IN ${inList(keys)}
    ${sql.join(inRanges, sql` `)})`
}

export function historyOf(db: Db, { tenantId, suppressionId }: { tenantId: string; suppressionId: string }) {
  const byEntry = sql<SuppressionHistoryTable>`suppression_history`.as<'h'>(
    sql`h ${alongIndex('suppression_history_by_entry')}`,
  )
  return db
    .selectFrom(byEntry)
    .leftJoin('users as u', 'u.id', 'h.actor')
    .selectAll('h')
    .select('u.name as actor_name')
    .where('h.tenant_id', '=', tenantId)
    .where('h.suppression_id', '=', suppressionId)
}

export async function selectHistory(
  db: Db,
  wanted: { tenantId: string; suppressionId: string; before: string | undefined; limit: number },
): Promise<HistoryItem[]> {
  const { before, limit } = wanted
  const rows = await historyOf(db, wanted)
    .$if(before !== undefined, (query) => query.where('h.id', '<', before ?? ''))
    .orderBy('h.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    by: actorRef(row.actor, row.actor_name),
    action: row.action,
    reason: row.reason,
    requestedBy: row.requested_by,
    channel: row.channel,
    reference: row.reference,
    requestedAt: row.requested_at,
    records: row.records,
  }))
}

export function toSuppression(row: SuppressionRow, term: Term | null): Suppression {
  return {
    id: row.id,
    kind: row.kind,
    scope: row.scope,
    original: row.original,
    normalized: row.normalized,
    region: row.region,
    rulesVersion: row.rules_version,
    reason: row.reason,
    requestedBy: row.requested_by,
    channel: row.channel,
    reference: row.reference,
    requestedAt: row.requested_at,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
    tombstone: row.tombstone === 1,
    status: row.status,
    ...termStatus(row.status === 'active' ? termBegan(row) : null, term),
    removal:
      row.ended_at === null || row.ended_by === null || row.ended_reason === null
        ? null
        : { at: row.ended_at, by: actorRef(row.ended_by, row.ender_name), reason: row.ended_reason },
  }
}
