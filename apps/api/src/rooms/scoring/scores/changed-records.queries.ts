import { sql } from 'kysely'
import type { FollowedEvent } from '../../../store/change/follow-audit.queries.ts'
import type { DueAt } from '../../../store/change/sweep.ts'
import type { Db } from '../../../store/database.ts'
import { elementsOf, inList, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'

/*
 * Queries for records whose score may have changed: records named by audit events, records named by triggers, and records whose score has reached its
 * deadline.
 */

/** Part of an event from which the records to score again are found. */
export type NamingEvent = Pick<FollowedEvent, 'action' | 'business_id' | 'at'>

/**
 * Returns the oldest events after a position that name records: events about a record, and matching runs. Other events change no score. While the
 * follower is behind, the query can read any number of other events, so only the background reader runs it.
 */
export function selectNamingEventsAfter(
  db: Db,
  tenantId: string,
  after: number,
  limit: number,
): Promise<NamingEvent[]> {
  return db
    .selectFrom('audit_events')
    .select(['action', 'business_id', 'at'])
    .where('tenant_id', '=', tenantId)
    .where('sequence', '>', after)
    .where((eb) => eb.or([eb('business_id', 'is not', null), eb('action', '=', 'matching.run')]))
    .orderBy('sequence')
    .limit(limit)
    .execute()
}

export const selectChangesAfter = prepared<{ tenantId: string; after: number; limit: number }>()((db, param) =>
  db
    .selectFrom('score_changes')
    .select(['number', 'business_id'])
    .where('tenant_id', '=', param('tenantId'))
    .where('number', '>', param('after'))
    .orderBy('number')
    .limit(param('limit')),
)

const dueUntil = prepared<{ tenant: number; generation: number; now: number; limit: number }>()((db, param) =>
  db
    .selectFrom('score_due')
    .select('business_id')
    .where('tenant', '=', param('tenant'))
    .where('generation', '=', param('generation'))
    .where('holds_until', '<=', param('now'))
    .orderBy('holds_until')
    .limit(param('limit')),
)

export async function selectDue(
  db: Db,
  key: { tenant: number; generation: number; now: number; limit: number },
): Promise<string[]> {
  return (await dueUntil(db, key)).map(({ business_id }) => business_id)
}

/** Returns the number of active records among the given ones. */
export async function countActive(db: Db, tenantId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM ${elementsOf(ids, 'asked')}
    ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = asked.value WHERE b.status = 'active'`.execute(db)
  return rows[0]?.n ?? 0
}

/** Returns the time at which the oldest score ended by time alone; undefined if none has. */
export async function findDueSince(
  db: Db,
  { tenant, generation, now }: { tenant: number; generation: number; now: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('score_due')
    .select('holds_until')
    .where('tenant', '=', tenant)
    .where('generation', '=', generation)
    .where('holds_until', '<=', now)
    .orderBy('holds_until')
    .limit(1)
    .executeTakeFirst()
  return row?.holds_until
}

/** Returns the given records, and the survivor of each merged one. */
export async function withSurvivors(db: Db, tenantId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE up (id) AS (
      SELECT value FROM ${elementsOf(ids, 'asked')}
      UNION
      SELECT b.merged_into FROM up ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = up.id WHERE b.merged_into IS NOT NULL
    )
    SELECT id FROM up`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the other record of each open strong match suggestion of the given records. */
export async function selectPartners(db: Db, tenantId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    SELECT business_b AS id FROM match_suggestions
    WHERE tenant_id = ${tenantId} AND business_a IN ${inList(ids)} AND status = 'open' AND score >= 0.9
    UNION
    SELECT business_a AS id FROM match_suggestions
    WHERE tenant_id = ${tenantId} AND business_b IN ${inList(ids)} AND status = 'open' AND score >= 0.9`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the records of strong match suggestions that a matching run has written since the given time. */
export async function selectSuggestedSince(db: Db, tenantId: string, since: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT business_a AS id FROM match_suggestions WHERE tenant_id = ${tenantId} AND status = 'open' AND score >= 0.9 AND updated_at >= ${since}
    UNION
    SELECT business_b AS id FROM match_suggestions WHERE tenant_id = ${tenantId} AND status = 'open' AND score >= 0.9 AND updated_at >= ${since}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/**
 * Returns score changes that every generation of the tenant has processed. The newest change is not returned, so that no number is reused. Returns none
 * if the tenant has no complete generation.
 */
export async function selectProcessedChanges(db: Db, { tenantId, limit }: DueAt): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    SELECT number FROM score_changes
    WHERE tenant_id = ${tenantId}
      AND number < (SELECT min(change_number) FROM score_generations WHERE tenant_id = ${tenantId} AND state = 'ready')
      AND NOT EXISTS (SELECT 1 FROM score_generations WHERE tenant_id = ${tenantId} AND state = 'building')
    LIMIT ${limit}`.execute(db)
  return rows.map(({ number }) => number)
}

export async function deleteChanges(db: Db, tenantId: string, numbers: readonly number[]): Promise<void> {
  await db.deleteFrom('score_changes').where('tenant_id', '=', tenantId).where('number', 'in', numbers).execute()
}
