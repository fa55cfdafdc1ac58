import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { alongIndex } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { type CircuitState, type HealthInterval, healthIntervals } from '../sources.table.ts'
import { readLatencies, startOf, withLatency } from './health.rules.ts'

type Key = { tenantId: string; sourceId: string }

/** Numbers to add to the current buckets. */
export type Counts = {
  requests?: number
  answers?: number
  rate_limited?: number
  timeouts?: number
  errors?: number
  refused?: number
  bytes?: number
  raw_kept?: number
  raw_deleted?: number
  raw_failed?: number
  circuit?: CircuitState
  latencyMs?: number
}

type Bucket = Key & { interval: HealthInterval; startsAt: string }

const addCounts = prepared<Bucket & Required<Omit<Counts, 'latencyMs'>> & { latencies: string }>()(
  (_db, param) => sql`
    INSERT INTO source_health (tenant_id, source_id, interval, starts_at, requests, answers, rate_limited, timeouts, errors, refused, bytes,
      latencies, circuit, raw_kept, raw_deleted, raw_failed)
    VALUES (${param('tenantId')}, ${param('sourceId')}, ${param('interval')}, ${param('startsAt')}, ${param('requests')},
      ${param('answers')}, ${param('rate_limited')}, ${param('timeouts')}, ${param('errors')}, ${param('refused')}, ${param('bytes')},
      ${param('latencies')}, ${param('circuit')}, ${param('raw_kept')}, ${param('raw_deleted')}, ${param('raw_failed')})
    ON CONFLICT (tenant_id, source_id, interval, starts_at) DO UPDATE SET
      requests = source_health.requests + excluded.requests, answers = source_health.answers + excluded.answers,
      rate_limited = source_health.rate_limited + excluded.rate_limited, timeouts = source_health.timeouts + excluded.timeouts,
      errors = source_health.errors + excluded.errors, refused = source_health.refused + excluded.refused, bytes = source_health.bytes + excluded.bytes,
      latencies = excluded.latencies,
      circuit = CASE WHEN source_health.circuit = 'open' OR excluded.circuit = 'open' THEN 'open'
        WHEN source_health.circuit = 'probation' OR excluded.circuit = 'probation' THEN 'probation' ELSE 'closed' END,
      raw_kept = source_health.raw_kept + excluded.raw_kept, raw_deleted = source_health.raw_deleted + excluded.raw_deleted,
      raw_failed = source_health.raw_failed + excluded.raw_failed`,
)

const latenciesOf = prepared<Bucket>()((db, param) =>
  db
    .selectFrom('source_health')
    .select('latencies')
    .where('tenant_id', '=', param('tenantId'))
    .where('source_id', '=', param('sourceId'))
    .where('interval', '=', param('interval'))
    .where('starts_at', '=', param('startsAt')),
)

/** Adds to the bucket of these five minutes and to the bucket of this day. */
export async function countHealth(db: Db, key: Key, at: string, counts: Counts): Promise<void> {
  const { latencyMs, ...added } = counts
  for (const interval of healthIntervals) {
    const bucket = { ...key, interval, startsAt: startOf(interval, at) }
    const [known] = await latenciesOf(db, bucket)
    const latencies = readLatencies(known?.latencies ?? '{}')
    await addCounts(db, {
      requests: 0,
      answers: 0,
      rate_limited: 0,
      timeouts: 0,
      errors: 0,
      refused: 0,
      bytes: 0,
      raw_kept: 0,
      raw_deleted: 0,
      raw_failed: 0,
      circuit: 'closed',
      ...added,
      ...bucket,
      latencies:
        latencyMs === undefined ? (known?.latencies ?? '{}') : JSON.stringify(withLatency(latencies, latencyMs)),
    })
  }
}

/** Returns buckets, oldest first. An interval without data has no row. */
export function selectHealth(
  db: Db,
  { tenantId, sourceId }: Key,
  { interval, from, to }: { interval: HealthInterval; from: string; to: string },
) {
  return db
    .selectFrom('source_health')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('source_id', '=', sourceId)
    .where('interval', '=', interval)
    .where('starts_at', '>=', from)
    .where('starts_at', '<', to)
    .orderBy('starts_at')
    .execute()
}

type OldBucket = { source_id: string; starts_at: string }

/** Returns buckets of this kind of interval that began before `before`. */
export async function selectHealthBefore(
  db: Db,
  { tenantId, interval, before, limit }: { tenantId: string; interval: HealthInterval; before: string; limit: number },
): Promise<OldBucket[]> {
  const { rows } = await sql<OldBucket>`
    SELECT source_id, starts_at FROM source_health ${alongIndex('source_health_by_age')}
    WHERE interval = ${interval} AND starts_at < ${before} AND tenant_id = ${tenantId} LIMIT ${limit}`.execute(db)
  return rows
}

export async function deleteHealth(
  db: Db,
  tenantId: string,
  interval: HealthInterval,
  rows: readonly OldBucket[],
): Promise<void> {
  for (const { source_id: sourceId, starts_at: startsAt } of rows)
    await db
      .deleteFrom('source_health')
      .where('tenant_id', '=', tenantId)
      .where('source_id', '=', sourceId)
      .where('interval', '=', interval)
      .where('starts_at', '=', startsAt)
      .execute()
}
