import { type Expression, sql } from 'kysely'
import type { ErrorCode } from '../../lib/app-error.ts'
import type { AuditAction } from '../../lib/declared.ts'
import { type LimitWords, limitReached, secondsUntilTomorrow, startOfUtcDay } from '../../lib/limit-reached.ts'
import type { Database, Db } from '../database.ts'
import { countUpTo } from '../engine/count-up-to.ts'
import type { Tx } from './change.ts'

/** The person whose rows a quota counts, and their tenant. `now`: RFC 3339. */
export type QuotaOwner = { tenantId: string; userId: string; now: string }

/**
 * A maximum of stored rows of one kind, of a person or of a tenant. A room lists its quotas in `<room>.room.ts`; `GET /limits` derives from these
 * lists, and the room enforces each quota by `requireRoom` in the change that inserts the row.
 */
export type Quota = LimitWords & {
  max: number
  /** code of the refusal; `limit_reached` (422), or a code with status 429 for rows that end by themselves */
  error: ErrorCode
  /**
   * Counts the rows of the owner, and stops at `upTo`. It runs in the write transaction, so it reads at most some thousands of index entries; a table
   * of counts that triggers maintain answers for larger maxima.
   */
  count(db: Db, owner: QuotaOwner, upTo: number): Promise<number>
  /** returns the time at which the oldest counted row ends by itself, RFC 3339 */
  freeAt?(db: Db, owner: QuotaOwner): Promise<string | undefined>
}

/**
 * Returns a quota of a tenant for a day in UTC, for rows that are never deleted: a maximum of all rows would end the use of the platform for good. It
 * counts the audit events of the action that inserts such a row, along the index of events by action.
 */
export function dailyQuota({
  action,
  ...words
}: Pick<Quota, 'name' | 'label' | 'max'> & { action: AuditAction }): Quota {
  return {
    ...words,
    of: 'tenant',
    per: 'day',
    remedy: 'A new day begins at midnight in UTC.',
    error: 'rate_limited',
    count: (db, { tenantId, now }, upTo) =>
      countRows(
        db,
        db
          .selectFrom('audit_events')
          .select('sequence')
          .where('tenant_id', '=', tenantId)
          .where('action', '=', action)
          .where('at', '>=', startOfUtcDay(now)),
        upTo,
      ),
  }
}

/** Returns a quota of all rows that a tenant has in a table, for rows that people create one by one. */
export function rowQuota({
  table,
  ...words
}: Pick<Quota, 'name' | 'label' | 'remedy' | 'max'> & { table: keyof Database & string }): Quota {
  return {
    ...words,
    of: 'tenant',
    error: 'limit_reached',
    count: (db, { tenantId }, upTo) =>
      countRows(db, sql`(SELECT 1 FROM ${sql.table(table)} WHERE tenant_id = ${tenantId})`, upTo),
  }
}

/** Counts the rows of a query for a quota, and stops at `upTo`. */
export function countRows(db: Db, rows: Expression<unknown>, upTo: number): Promise<number> {
  return countUpTo(db, rows, upTo - 1)
}

/** Returns the counted rows of a quota, at most its maximum. */
export function usedOf(db: Db, quota: Quota, owner: QuotaOwner): Promise<number> {
  return quota.count(db, owner, quota.max)
}

/**
 * Requires, inside a change, that the quota has room for `adding` more rows. The count and the insert share the write transaction, so concurrent
 * requests cannot exceed the quota. Errors: the code of the quota, with its name, use, maximum and remedy.
 */
export async function requireRoom(tx: Tx, quota: Quota, adding = 1): Promise<void> {
  const { actor, db, at } = tx
  const owner = { tenantId: actor.tenantId, userId: actor.kind === 'user' ? actor.userId : '', now: at }
  const { max } = quota
  const used = await usedOf(db, quota, owner)
  if (used + adding <= max) return
  const waitSeconds = quota.per === 'day' ? secondsUntilTomorrow(at) : secondsFrom(at, await quota.freeAt?.(db, owner))
  throw limitReached(quota, {
    code: quota.error,
    used,
    max,
    ...(waitSeconds > 0 ? { retryAfterSeconds: waitSeconds } : {}),
  })
}

function secondsFrom(at: string, until: string | undefined): number {
  return until === undefined ? 0 : Math.ceil((Date.parse(until) - Date.parse(at)) / 1_000)
}
