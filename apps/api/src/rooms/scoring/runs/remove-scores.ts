import { type DueAt, sweepDerived } from '../../../store/change/sweep.ts'
import type { Db } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { latestJob } from '../../jobs/jobs.ts'
import type { Upkeep } from '../../room.ts'
import { deleteSome, deleteSomeMoves } from './generation.sqlite.ts'
import { updateGeneration } from './runs.queries.ts'
import { findTenantNumber } from './tenant-number.ts'

/**
 * Deletes the scores of unused generations. A generation is unused if its attempt was lost, or if it is neither active, nor the previous one, nor the
 * newest one that awaits activation. It is marked before its rows are deleted, so the next round continues after a crash.
 */
export const removeOldScores: Upkeep<{ store: Store }> = {
  name: 'remove old scores',
  everyMs: 60_000,
  // A commit of this size occupies the event loop for one or two milliseconds.
  limit: 200,
  forTenant: async (context) => {
    const { store, tenantId, limit } = context
    await sweepDerived(context, {
      due: async (db, at) => (await selectUnneeded(db, tenantId)).slice(0, at.limit),
      apply: async (db, generations) => {
        for (const { number } of generations) await updateGeneration(db, number, { state: 'removing' })
      },
    })
    const tenant = await findTenantNumber(store.reader, tenantId)
    await sweepDerived(
      { ...context, limit: 1 },
      { due: selectRemoving, apply: (db, generations) => removePart(db, generations, { tenant, limit }) },
    )
  },
}

/** Deletes at most `limit` rows of each table, and marks the generation as removed after its last rows. */
async function removePart(
  db: Db,
  generations: readonly Removing[],
  { tenant, limit }: { tenant: number; limit: number },
): Promise<void> {
  for (const { number, wasActivated } of generations) {
    const part = { tenant, generation: number, limit }
    if (await deleteSome(db, part)) continue
    if (!wasActivated && (await deleteSomeMoves(db, part))) continue
    await updateGeneration(db, number, { state: 'removed' })
  }
}

/** Returns generations that are not active, not reserved for a rollback or an activation, and not being filled. */
async function selectUnneeded(db: Db, tenantId: string): Promise<{ number: number }[]> {
  const rows = await db
    .selectFrom('score_generations as g')
    .innerJoin('scoring_runs as r', (join) =>
      join.onRef('r.tenant_id', '=', 'g.tenant_id').onRef('r.id', '=', 'g.run_id'),
    )
    .leftJoin('scoring_active as a', 'a.tenant_id', 'g.tenant_id')
    .select(['g.number', 'g.run_id', 'g.state', 'r.generation', 'r.activated_at'])
    .select(['a.run_id as active_id', 'a.previous_run_id as previous_id'])
    .select(latestJob('r', 'status').as('job_status'))
    .where('g.tenant_id', '=', tenantId)
    .where('g.state', 'in', ['building', 'ready'])
    .orderBy('g.number', 'desc')
    .execute()
  let isOneWaiting = false
  return rows.filter((row) => {
    if (row.state === 'building')
      return row.generation !== row.number || (row.job_status !== 'queued' && row.job_status !== 'running')
    if (row.run_id === row.active_id || row.run_id === row.previous_id) return false
    // Rows are sorted newest first. Of the generations that were never activated only the newest is kept.
    if (row.activated_at !== null || isOneWaiting) return true
    isOneWaiting = true
    return false
  })
}

type Removing = { number: number; wasActivated: boolean }

async function selectRemoving(db: Db, { tenantId, limit }: DueAt): Promise<Removing[]> {
  const rows = await db
    .selectFrom('score_generations as g')
    .innerJoin('scoring_runs as r', (join) =>
      join.onRef('r.tenant_id', '=', 'g.tenant_id').onRef('r.id', '=', 'g.run_id'),
    )
    .select(['g.number', 'r.activated_at'])
    .where('g.tenant_id', '=', tenantId)
    .where('g.state', '=', 'removing')
    .limit(limit)
    .execute()
  return rows.map(({ number, activated_at }) => ({ number, wasActivated: activated_at !== null }))
}
