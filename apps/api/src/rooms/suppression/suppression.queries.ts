import { type Kysely, sql } from 'kysely'
import { actorKey, actorRef } from '../../lib/actor.ts'
import { notFound } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change/change.ts'
import type { Database } from '../../store/database.ts'
import { prepared } from '../../store/engine/prepared.ts'
import type { KeyRange } from '../contact-gate/contact-gate.ts'
import { standingOf, type Term } from './entries/review-term.rules.ts'
import { termOf } from './entries/review-term.ts'
import type { HistoryItem, Suppression } from './suppression.schema.ts'
import type { HistoryAction, SuppressionHistoryTable, SuppressionTable } from './suppression.table.ts'

type Db = Kysely<Database>

const insertRow = prepared<SuppressionTable>()((db, param) =>
  db.insertInto('suppressions').values({
    tenant_id: param('tenant_id'),
    id: param('id'),
    kind: param('kind'),
    scope: param('scope'),
    original: param('original'),
    normalized: param('normalized'),
    region: param('region'),
    rules_version: param('rules_version'),
    reason: param('reason'),
    requested_by: param('requested_by'),
    channel: param('channel'),
    reference: param('reference'),
    requested_at: param('requested_at'),
    created_at: param('created_at'),
    created_by: param('created_by'),
    confirmed_at: param('confirmed_at'),
    tombstone: param('tombstone'),
    status: param('status'),
    ended_at: param('ended_at'),
    ended_by: param('ended_by'),
    ended_reason: param('ended_reason'),
  }),
)

const insertKey = prepared<{ tenantId: string; key: string; suppressionId: string }>()((db, param) =>
  db
    .insertInto('suppression_keys')
    .values({
      tenant_id: param('tenantId'),
      key: param('key'),
      suppression_id: param('suppressionId'),
      live: sql.lit<1>(1),
    })
    .onConflict((conflict) => conflict.doNothing()),
)

const insertHistoryRow = prepared<SuppressionHistoryTable>()((db, param) =>
  db.insertInto('suppression_history').values({
    tenant_id: param('tenant_id'),
    id: param('id'),
    suppression_id: param('suppression_id'),
    at: param('at'),
    actor: param('actor'),
    action: param('action'),
    reason: param('reason'),
    requested_by: param('requested_by'),
    channel: param('channel'),
    reference: param('reference'),
    requested_at: param('requested_at'),
    records: param('records'),
  }),
)

const liveEntriesOfKey = prepared<{ tenantId: string; key: string }>()((db, param) =>
  db
    .selectFrom('suppression_keys')
    .select('suppression_id')
    .where('tenant_id', '=', param('tenantId'))
    .where('key', '=', param('key'))
    .where('live', '=', sql.lit<1>(1))
    .limit(1),
)

export async function insertSuppression(tx: Tx, row: SuppressionTable, keys: readonly string[]): Promise<void> {
  await insertRow(tx.db, row)
  await keepKeys(tx, row.id, keys)
}

export async function keepKeys(tx: Tx, suppressionId: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) await insertKey(tx.db, { tenantId: tx.actor.tenantId, key, suppressionId })
}

export async function keysOf(db: Db, tenantId: string, suppressionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('suppression_keys')
    .select('key')
    .where('tenant_id', '=', tenantId)
    .where('suppression_id', '=', suppressionId)
    .execute()
  return rows.map(({ key }) => key)
}

/** The entry that stands for this very key, if one does. */
export async function findLiveByKey(db: Db, tenantId: string, key: string): Promise<string | undefined> {
  const [row] = await liveEntriesOfKey(db, { tenantId, key })
  return row?.suppression_id
}

type HistoryEntry = { action: HistoryAction; reason: string; records: number } & Partial<
  Pick<SuppressionHistoryTable, 'requested_by' | 'channel' | 'reference' | 'requested_at'>
>

export async function addHistory(tx: Tx, suppressionId: string, entry: HistoryEntry): Promise<void> {
  await insertHistoryRow(tx.db, {
    tenant_id: tx.actor.tenantId,
    id: newId(),
    suppression_id: suppressionId,
    at: tx.at,
    actor: actorKey(tx.actor),
    requested_by: null,
    channel: null,
    reference: null,
    requested_at: null,
    ...entry,
  })
}

/** That an entry that stands was asked for again: its term begins anew. */
export async function confirmSuppression(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('suppressions')
    .set({ confirmed_at: tx.at })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', id)
    .execute()
}

/** When the term of an entry began. */
export function termBegan({ confirmed_at, created_at }: Pick<SuppressionTable, 'confirmed_at' | 'created_at'>): string {
  return confirmed_at ?? created_at
}

/** Ends an entry: it and its keys stay, but no longer block. Its matches are ended by `endMatches`. */
export async function endSuppression(tx: Tx, id: string, reason: string): Promise<void> {
  const { tenantId } = tx.actor
  await tx.db
    .updateTable('suppressions')
    .set({ status: 'removed', ended_at: tx.at, ended_by: actorKey(tx.actor), ended_reason: reason })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  // By the entry: left to itself SQLite goes through the keys of all entries.
  await sql`
    UPDATE suppression_keys INDEXED BY suppression_keys_by_entry SET live = 0
    WHERE tenant_id = ${tenantId} AND suppression_id = ${id}`.execute(tx.db)
}

function withActors(db: Db, listed?: Listed) {
  const alias = listed === undefined ? sql`s` : sql`s INDEXED BY ${sql.ref(listed)}`
  return db
    .selectFrom(sql<SuppressionTable>`suppressions`.as<'s'>(alias))
    .leftJoin('users as creator', 'creator.id', 's.created_by')
    .leftJoin('users as ender', 'ender.id', 's.ended_by')
    .selectAll('s')
    .select(['creator.name as creator_name', 'ender.name as ender_name'])
}

export type SuppressionRow = SuppressionTable & { creator_name: string | null; ender_name: string | null }

/** One entry of the tenant, as of `at`. Errors: `not_found`. */
export async function getSuppression(db: Db, tenantId: string, id: string, at: string): Promise<Suppression> {
  const row = await withActors(db).where('s.tenant_id', '=', tenantId).where('s.id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound()
  return toSuppression(row, await termOf(db, tenantId, at))
}

/** What a search looks for: entries with one of these keys, or with a key in one of these ranges. */
export type KeySearch = { keys: readonly string[]; ranges: readonly KeyRange[] }

type Listed = 'suppressions_by_kind' | 'suppressions_by_status' | 'suppressions_by_status_and_kind'

/** Of a filter that few entries fit SQLite, left to itself, walks all of the tenant: they come in the order of the list already. */
function listedBy({ kind, status }: Pick<SuppressionFilter, 'kind' | 'status'>): Listed | undefined {
  if (kind === undefined) return status === undefined ? undefined : 'suppressions_by_status'
  return status === undefined ? 'suppressions_by_kind' : 'suppressions_by_status_and_kind'
}

type SuppressionFilter = {
  kind: SuppressionTable['kind'] | undefined
  status: SuppressionTable['status'] | undefined
}

export async function selectSuppressions(
  db: Db,
  wanted: {
    tenantId: string
    search: KeySearch | undefined
    before: string | undefined
    limit: number
  } & SuppressionFilter,
): Promise<SuppressionRow[]> {
  const { tenantId, search, kind, status, before, limit } = wanted
  return withActors(db, search === undefined ? listedBy(wanted) : undefined)
    .where('s.tenant_id', '=', tenantId)
    .$if(kind !== undefined, (query) => query.where('s.kind', '=', kind ?? 'email'))
    .$if(status !== undefined, (query) => query.where('s.status', '=', status ?? 'active'))
    .$if(before !== undefined, (query) => query.where('s.id', '<', before ?? ''))
    .$if(search !== undefined, (query) => query.where(hasKey(tenantId, search ?? { keys: [], ranges: [] })))
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()
}

/** Live entries whose term began before `pastBefore`, the latest first. */
export async function selectPastTerm(
  db: Db,
  wanted: {
    tenantId: string
    search: KeySearch | undefined
    kind: SuppressionTable['kind'] | undefined
    pastBefore: string
    after: { termBegan: string; id: string } | undefined
    limit: number
  },
): Promise<SuppressionRow[]> {
  const { tenantId, search, kind, pastBefore, after, limit } = wanted
  // Word for word what the indexes of migration 0026 hold.
  const termBegan = sql<string>`coalesce(s.confirmed_at, s.created_at)`
  return (
    withActors(db)
      .where('s.tenant_id', '=', tenantId)
      .where('s.status', '=', sql.lit<'active'>('active'))
      // One bound only, so that a later page begins where the earlier one ended.
      .where(termBegan, after === undefined ? '<' : '<=', after?.termBegan ?? pastBefore)
      .$if(kind !== undefined, (query) => query.where('s.kind', '=', kind ?? 'email'))
      .$if(search !== undefined, (query) => query.where(hasKey(tenantId, search ?? { keys: [], ranges: [] })))
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(${termBegan}, s.id) < (${after?.termBegan}, ${after?.id})`),
      )
      .orderBy(termBegan, 'desc')
      .orderBy('s.id', 'desc')
      .limit(limit)
      .execute()
  )
}

function hasKey(tenantId: string, { keys, ranges }: KeySearch) {
  const inRanges = ranges.map(
    ({ from, to }) =>
      sql`UNION SELECT suppression_id FROM suppression_keys WHERE tenant_id = ${tenantId} AND key >= ${from} AND key < ${to}`,
  )
  return sql<boolean>`s.id IN (
    SELECT suppression_id FROM suppression_keys
    WHERE tenant_id = ${tenantId} AND key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))
    ${sql.join(inRanges, sql` `)})`
}

export async function selectHistory(
  db: Db,
  wanted: { tenantId: string; suppressionId: string; before: string | undefined; limit: number },
): Promise<HistoryItem[]> {
  const { tenantId, suppressionId, before, limit } = wanted
  const byEntry = sql<SuppressionHistoryTable>`suppression_history`.as<'h'>(
    sql`h INDEXED BY suppression_history_by_entry`,
  )
  const rows = await db
    .selectFrom(byEntry)
    .leftJoin('users as u', 'u.id', 'h.actor')
    .selectAll('h')
    .select('u.name as actor_name')
    .where('h.tenant_id', '=', tenantId)
    .where('h.suppression_id', '=', suppressionId)
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
    ...standingOf(row.status === 'active' ? termBegan(row) : null, term),
    removal:
      row.ended_at === null || row.ended_by === null || row.ended_reason === null
        ? null
        : { at: row.ended_at, by: actorRef(row.ended_by, row.ender_name), reason: row.ended_reason },
  }
}
