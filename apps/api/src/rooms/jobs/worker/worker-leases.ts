import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { ProcessMarks } from '../../../store/files/process-marks.ts'
import type { Store } from '../../../store/store.ts'
import { decideReclaim } from '../jobs.rules.ts'
import type { JobTable } from '../jobs.table.ts'
import { endJob, requeueJob } from './job-end.ts'
import type { Runner } from './worker-options.ts'

/*
 * Leases that do not depend on clocks. A worker with jobs increments its heartbeat counter. If another worker sees the same value for the duration of
 * a lease, measured by its own monotonic time, it deletes the row of the first worker and takes over its jobs. A clock that jumps can therefore
 * neither end nor extend a lease. A worker that was wrongly declared lost finds its row deleted and its writes refused, and continues under another
 * name. If the system reports that a worker's process is dead (`store/files/process-marks.ts`), its jobs are taken over at once.
 */

export async function registerWorker(db: Db, id: string, at: string): Promise<void> {
  await db.insertInto('job_workers').values({ id, beat: 0, started_at: at }).execute()
}

/** Increments the heartbeat counter of a worker. Returns false if another worker has declared this one lost. */
export async function moveBeat(db: Db, id: string): Promise<boolean> {
  const moved = await db
    .updateTable('job_workers')
    .set((eb) => ({ beat: eb('beat', '+', 1) }))
    .where('id', '=', id)
    .returning('beat')
    .execute()
  return moved.length === 1
}

/** Deletes the row of a worker. With `beat`, deletes it only if the heartbeat counter still has this value. Returns true if it was deleted. */
export async function removeWorker(store: Store, id: string, beat?: number): Promise<boolean> {
  return store.write('workers', async (db) => {
    const removed = await db
      .deleteFrom('job_workers')
      .where('id', '=', id)
      .$if(beat !== undefined, (query) => query.where('beat', '=', beat ?? 0))
      .returning('id')
      .execute()
    return { keep: removed.length > 0, value: removed.length > 0 }
  })
}

/** Returns the jobs that a worker runs according to the store. */
export function selectRunning(db: Db, owner: string): Promise<JobTable[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('status', '=', sql.lit('running' as const))
    .where('owner', '=', owner)
    .execute()
}

async function selectOwners(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('owner')
    .distinct()
    .where('status', '=', sql.lit('running' as const))
    .orderBy('owner')
    .execute()
  return rows.map(({ owner }) => owner).filter((owner) => owner !== null)
}

/**
 * Returns a function that finds lost workers with running jobs. A worker is lost if it has no row, a heartbeat counter that stopped, or a dead
 * process. The function stores the counters that it saw, so each worker needs its own.
 */
export function createLossWatch(
  store: Store,
  marks: Pick<ProcessMarks, 'isAbandoned' | 'forget'>,
  leaseMs: number,
): { findLost(self: string | undefined): Promise<string[]> } {
  let seen = new Map<string, { beat: number; since: number }>()
  return {
    findLost: async (self) => {
      // Owners are read before workers. A worker is registered in the commit of its first claim, so in the other order a worker that claims a job
      // between the two reads would seem to own a job without a row.
      const owners = await selectOwners(store.reader)
      const workers = await store.reader.selectFrom('job_workers').select(['id', 'beat']).execute()
      const now = performance.now()
      const watched: typeof seen = new Map()
      for (const { id, beat } of workers) {
        const before = seen.get(id)
        watched.set(id, before?.beat === beat ? before : { beat, since: now })
      }
      seen = watched
      for (const [id, { beat, since }] of watched) {
        if (id === self || (now - since < leaseMs && !marks.isAbandoned(id))) continue
        if (await removeWorker(store, id, beat)) {
          watched.delete(id)
          marks.forget(id)
        }
      }
      return owners.filter((owner) => owner !== self && !watched.has(owner))
    },
  }
}

/** Queues a running job without a worker again. Ends the job instead if its cancellation was requested or its workers died too often. */
export async function reclaimJob(runner: Runner, row: JobTable): Promise<void> {
  const lease = { tenantId: row.tenant_id, jobId: row.id, owner: row.owner ?? '', claim: row.claim }
  const isCancelRequested = row.cancel_requested_at !== null
  switch (decideReclaim({ reclaims: row.reclaims, isCancelRequested })) {
    case 'requeue':
      return requeueJob(runner, lease, { type: 'reclaimed', progress: null })
    case 'cancel':
      return endJob(runner, { row, lease }, { outcome: { status: 'cancelled' }, progress: null })
    case 'fail': {
      const error = { code: 'worker_lost', message: `Its worker was lost ${row.reclaims + 1} times while it ran.` }
      return endJob(runner, { row, lease }, { outcome: { status: 'failed', error, isFinal: true }, progress: null })
    }
  }
}
