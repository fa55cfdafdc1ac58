import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '../../../config.ts'
import { daysAfter } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import type { SweepContext } from '../../../store/change/sweep.ts'
import type { Db } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'

const JOBS_A_LOOK = 200

type Ended = { id: string; lineage_id: string; ended_at: string; last_sequence: number }
type Pruning = { id: string; from: number; through: number }
type Log = Pick<Logger, 'info'>
export type Pruned = { jobs: number; events: number }

/**
 * Deletes the events of jobs whose lineage ended before `before`, except the last event of each job. Works in changes of limited size, each with an
 * audit event. Jobs with their results, idempotency keys and the effect ledger remain, so that a late retry repeats no effect.
 */
export async function pruneJobEvents(
  { store, tenantId, limit, isStopped }: SweepContext,
  before: string,
): Promise<Pruned> {
  const total = { jobs: 0, events: 0 }
  let after: Pick<Ended, 'ended_at' | 'id'> = { ended_at: '', id: '' }
  for (;;) {
    const jobs = await endedJobs(store.backgroundOf(tenantId), { tenantId, before, after })
    let batch: Pruning[] = []
    let events = 0
    const write = async () => {
      if (batch.length > 0) await pruneBatch(store, tenantId, before, batch)
      total.events += events
      batch = []
      events = 0
    }
    for (const job of jobs) {
      if (await isLineageOpen(store.reader, tenantId, job.lineage_id, before)) continue
      let from = (await prunedThrough(store.reader, tenantId, job.id)) + 1
      if (from < job.last_sequence) total.jobs += 1
      while (from < job.last_sequence) {
        if (isStopped()) return total
        const through = Math.min(job.last_sequence - 1, from + limit - events - 1)
        batch.push({ id: job.id, from, through })
        events += through - from + 1
        from = through + 1
        if (events >= limit) await write()
      }
    }
    await write()
    const last = jobs.at(-1)
    if (last === undefined || jobs.length < JOBS_A_LOOK) return total
    after = last
    await breathe()
  }
}

async function pruneBatch(store: Store, tenantId: string, before: string, batch: readonly Pruning[]): Promise<void> {
  const actor = systemActor('job worker', tenantId, newId())
  await change(store, actor, { permission: null, action: 'job.prune_events' }, async (tx) => {
    let events = 0
    for (const pruning of batch) events += await pruneJob(tx, tenantId, pruning)
    // Nothing was deleted, because another process on this store deleted the events first.
    if (events === 0) return unchanged(null)
    await tx.record({
      subject: { type: 'tenant', id: tenantId },
      after: { jobs: batch.length, events, endedBefore: before },
    })
    return null
  })
}

async function pruneJob(tx: Tx, tenantId: string, { id, from, through }: Pruning): Promise<number> {
  if ((await prunedThrough(tx.db, tenantId, id)) >= from) return 0
  await tx.db
    .insertInto('job_prunings')
    .values({ tenant_id: tenantId, job_id: id, through_sequence: through, at: tx.at })
    .execute()
  const { numDeletedRows } = await tx.db
    .deleteFrom('job_events')
    .where('tenant_id', '=', tenantId)
    .where('job_id', '=', id)
    .where('sequence', '<=', through)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Returns ended jobs in order, without those whose events are already deleted. Jobs are never deleted, so after some time nearly all jobs of a tenant
 * are of that kind, and the query is slow. Use the background reader.
 */
function endedJobs(
  db: Db,
  { tenantId, before, after }: { tenantId: string; before: string; after: Pick<Ended, 'ended_at' | 'id'> },
): Promise<Ended[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'lineage_id', 'last_sequence'])
    .select((eb) => eb.ref('ended_at').$notNull().as('ended_at'))
    .where('tenant_id', '=', tenantId)
    .where('ended_at', '<', before)
    .where(sql<boolean>`(ended_at, id) > (${after.ended_at}, ${after.id})`)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('job_prunings as p')
            .select('p.job_id')
            .whereRef('p.tenant_id', '=', 'jobs.tenant_id')
            .whereRef('p.job_id', '=', 'jobs.id')
            .where(sql<boolean>`p.through_sequence >= jobs.last_sequence - 1`),
        ),
      ),
    )
    .orderBy('ended_at')
    .orderBy('id')
    .limit(JOBS_A_LOOK)
    .execute()
}

/** True if an attempt of this lineage has not ended, or ended at or after `before`. */
async function isLineageOpen(db: Db, tenantId: string, lineageId: string, before: string): Promise<boolean> {
  const open = await db
    .selectFrom('jobs')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('lineage_id', '=', lineageId)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', before)]))
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}

async function prunedThrough(db: Db, tenantId: string, jobId: string): Promise<number> {
  const last = await db
    .selectFrom('job_prunings')
    .select('through_sequence')
    .where('tenant_id', '=', tenantId)
    .where('job_id', '=', jobId)
    .orderBy('through_sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.through_sequence ?? 0
}

/** Deletes the events of jobs whose lineage ended more than `JOB_EVENTS_KEEP_DAYS` ago. */
export const eventRetention: Upkeep<{ store: Store; config: Pick<Config, 'jobEventsKeepDays'>; log: Log }> = {
  name: 'delete events of old jobs',
  everyMs: 6 * 3_600_000,
  // A change of this size takes some ten milliseconds.
  limit: 2_000,
  forTenant: async ({ config, log, ...context }) => {
    const before = daysAfter(context.store.clock(), -config.jobEventsKeepDays)
    const pruned = await pruneJobEvents(context, before)
    if (pruned.events > 0) log.info({ ...pruned, before, tenant: context.tenantId }, 'events of old jobs were deleted')
  },
}
