import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { AssistUsageTable, UsageKind } from '../assist.table.ts'
import { type Spent, type Windows, windowStarts } from './budgets.rules.ts'

/** Usage of a tenant, of an adapter over all tenants, for the limits of the operator, or of an adapter in one tenant. */
type Scope = { tenantId: string; adapterId?: string } | { tenantId?: undefined; adapterId: string }

export async function insertUsage(db: Db, row: AssistUsageTable): Promise<void> {
  await db.insertInto('assist_usage').values(row).execute()
}

export async function readWindows(db: Db, scope: Scope, at: string): Promise<Windows> {
  const starts = windowStarts(at)
  return {
    minute: await sumSince(db, scope, starts.minute),
    day: await sumSince(db, scope, starts.day),
    month: await sumSince(db, scope, starts.month),
  }
}

/** Returns sums of 0 or more: a correction of earlier usage never adds to the limit of a short window. */
async function sumSince(db: Db, { tenantId, adapterId }: Scope, since: string): Promise<Spent> {
  const ofTenant = tenantId === undefined ? sql`1 = 1` : sql`tenant_id = ${tenantId}`
  const ofAdapter = adapterId === undefined ? sql`1 = 1` : sql`adapter_id = ${adapterId}`
  const { rows } = await sql<Spent>`
    SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost), 0) AS cost
    FROM assist_usage WHERE ${ofTenant} AND ${ofAdapter} AND counts_at >= ${since}`.execute(db)
  const { calls = 0, tokens = 0, cost = 0 } = rows[0] ?? {}
  return { calls: Math.max(0, calls), tokens: Math.max(0, tokens), cost: Math.max(0, cost) }
}

/** Returns the amounts that unsettled calls reserve in each window. */
export async function readReserved(db: Db, tenantId: string, at: string): Promise<Windows> {
  const starts = windowStarts(at)
  const since = async (start: string): Promise<Spent> => {
    const { rows } = await sql<Spent>`
      SELECT coalesce(sum(u.calls), 0) AS calls, coalesce(sum(u.tokens), 0) AS tokens, coalesce(sum(u.cost), 0) AS cost
      FROM assist_usage u WHERE u.tenant_id = ${tenantId} AND u.counts_at >= ${start} AND ${isOpen}`.execute(db)
    return rows[0] ?? { calls: 0, tokens: 0, cost: 0 }
  }
  return { minute: await since(starts.minute), day: await since(starts.day), month: await since(starts.month) }
}

const isOpen = sql`u.kind = 'reservation' AND NOT EXISTS (
  SELECT 1 FROM assist_usage s WHERE s.tenant_id = u.tenant_id AND s.reservation_id = u.id)`

/** Calls that may be running now, over all tenants and processes; of one adapter, or of all. */
export async function countRunning(db: Db, at: string, adapterId?: string): Promise<number> {
  const isOfAdapter = adapterId === undefined ? sql`1 = 1` : sql`u.adapter_id = ${adapterId}`
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM assist_usage u
    WHERE u.lease_until > ${at} AND ${isOfAdapter} AND ${isOpen}`.execute(db)
  return rows[0]?.count ?? 0
}

export type OpenReservation = Pick<
  AssistUsageTable,
  'id' | 'suggestion_id' | 'adapter_id' | 'tokens' | 'cost' | 'counts_at'
>

/** Returns the unsettled reservations of a suggestion, oldest first, or the one with this id. */
export async function selectOpenReservations(
  db: Db,
  tenantId: string,
  of: { suggestionId: string } | { id: string },
): Promise<OpenReservation[]> {
  const isOne = 'id' in of ? sql`u.id = ${of.id}` : sql`u.suggestion_id = ${of.suggestionId}`
  const { rows } = await sql<OpenReservation>`
    SELECT u.id, u.suggestion_id, u.adapter_id, u.tokens, u.cost, u.counts_at FROM assist_usage u
    WHERE u.tenant_id = ${tenantId} AND ${isOne} AND ${isOpen} ORDER BY u.id`.execute(db)
  return rows
}

export type UsageEntry = {
  id: string
  at: string
  kind: UsageKind
  suggestionId: string | null
  tokens: number
  cost: number
  reason: string | null
}

/** Newest first. */
export async function selectEntries(
  db: Db,
  tenantId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<UsageEntry[]> {
  let query = db
    .selectFrom('assist_usage')
    .select(['id', 'at', 'kind', 'suggestion_id as suggestionId', 'tokens', 'cost', 'reason'])
    .where('tenant_id', '=', tenantId)
    .orderBy('id', 'desc')
    .limit(limit)
  if (before !== undefined) query = query.where('id', '<', before)
  return query.execute()
}
