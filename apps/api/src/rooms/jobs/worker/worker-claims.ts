import type { Db } from '../../../store/database.ts'
import { appendEvent, claimJob, findNextTenant, findOldestQueued } from '../queue/job-writes.ts'
import { type ClaimedJob, MAX_RUNNING_PER_TENANT } from './worker-options.ts'

/** Returns the next tenant after `turn` that has a queued job and fewer running jobs than the limit; undefined if there is none. */
export async function findTurn(db: Db, turn: string, running: readonly string[]): Promise<string | undefined> {
  const busy = new Map<string, number>()
  for (const tenantId of running) busy.set(tenantId, (busy.get(tenantId) ?? 0) + 1)
  let after = turn
  // The loop skips tenants at their limit. It ends soon, because each of them has running jobs here.
  for (let asked = 0; asked <= busy.size; asked++) {
    const tenantId = (await findNextTenant(db, after)) ?? (await findNextTenant(db, ''))
    if (tenantId === undefined) return undefined
    if ((busy.get(tenantId) ?? 0) < MAX_RUNNING_PER_TENANT) return tenantId
    after = tenantId
  }
  return undefined
}

/** Claims the tenant's oldest queued job for this worker and inserts the event `started`. */
export async function claimOldest(
  db: Db,
  { tenantId, owner, at }: { tenantId: string; owner: string; at: string },
): Promise<ClaimedJob | undefined> {
  const row = await findOldestQueued(db, { tenantId })
  if (row === undefined) return undefined
  const job = { tenantId, jobId: row.id, owner }
  const given = await claimJob(db, { ...job, at })
  if (given === undefined) return undefined
  const { claim, sequence } = given
  await appendEvent(db, { ...job, sequence }, { type: 'started', at, data: { claim } })
  return { row, lease: { ...job, claim } }
}
