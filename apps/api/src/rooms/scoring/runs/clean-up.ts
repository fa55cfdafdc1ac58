import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Loop } from '../../../lib/every.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import { writeDerived } from '../../../store/change/write-derived.ts'
import type { Database } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { latestJob } from '../../jobs/jobs.ts'
import { deletePreview, selectExpiredPreviews } from '../previews/previews.queries.ts'
import { trimChanges } from '../scores/changed-records.queries.ts'
import { deleteSome, deleteSomeMoves } from './generation.sqlite.ts'
import { updateGeneration } from './runs.queries.ts'
import { findTenantNumber } from './tenant-number.ts'

type Db = Kysely<Database>

const EVERY_MS = 60_000
/** Rows per commit. A commit occupies the event loop for one or two milliseconds. */
const ROWS_AT_ONCE = 200
/** Pause after each commit, as a multiple of its duration. */
const REST = 2

/**
 * Deletes the scores of unused generations. A generation is unused if its attempt was lost, or if it is neither active, nor the previous one, nor the
 * newest one that awaits activation. It is marked before its rows are deleted, so the next round continues after a crash. Also deletes expired
 * previews, and changes that every generation has processed.
 */
export function startCleaning(store: Store, log: Pick<Logger, 'error'>): Loop {
  return everyInOneProcess(store, {
    name: 'removal of old scores',
    ms: EVERY_MS,
    work: (isStopped) => cleanUp(store, isStopped),
    log,
    failed: 'removing old scores failed',
  })
}

/** Runs one clean-up round over all tenants. */
export async function cleanUp(store: Store, isStopped: () => boolean = () => false): Promise<void> {
  for (const { number, tenant_id } of await selectUnneeded(store.reader)) {
    if (isStopped()) return
    // Check again inside the transaction: the generation may have been activated since the first query.
    await writeDerived(store, tenant_id, async (db) => {
      const isUnneeded = (await selectUnneeded(db, tenant_id)).some((one) => one.number === number)
      if (isUnneeded) await updateGeneration(db, number, { state: 'removing' })
    })
  }
  for (const { number, tenant_id, was_activated } of await selectRemoving(store.reader)) {
    const part = { tenant: await findTenantNumber(store.reader, tenant_id), generation: number, limit: ROWS_AT_ONCE }
    const isEmpty =
      (await repeat(store, tenant_id, (db) => deleteSome(db, part), isStopped)) &&
      (was_activated === 1 || (await repeat(store, tenant_id, (db) => deleteSomeMoves(db, part), isStopped)))
    if (!isEmpty) return
    await writeDerived(store, tenant_id, (db) => updateGeneration(db, number, { state: 'removed' }))
  }
  const now = store.clock().toISOString()
  for (const { tenant_id: tenantId, id } of await selectExpiredPreviews(store.reader, now, ROWS_AT_ONCE)) {
    if (
      !(await repeat(
        store,
        tenantId,
        async (db) => !(await deletePreview(db, { tenantId, id }, ROWS_AT_ONCE)),
        isStopped,
      ))
    )
      return
  }
  for (const { tenant_id } of await selectTenants(store.reader))
    if (!(await repeat(store, tenant_id, (db) => trimChanges(db, tenant_id, ROWS_AT_ONCE), isStopped))) return
}

/** Repeats a step, each time in its own commit, until no work remains. Returns false if it was stopped earlier. */
async function repeat(
  store: Store,
  tenantId: string,
  work: (db: Db) => Promise<boolean>,
  isStopped: () => boolean,
): Promise<boolean> {
  for (let hasMore = true; hasMore; ) {
    if (isStopped()) return false
    const began = performance.now()
    await writeDerived(store, tenantId, async (db) => {
      hasMore = await work(db)
    })
    await delay(REST * (performance.now() - began))
  }
  return true
}

type Generation = { number: number; tenant_id: string }

/** Returns generations that are not active, not reserved for a rollback or an activation, and not being filled. */
async function selectUnneeded(db: Db, tenantId?: string): Promise<Generation[]> {
  const rows = await db
    .selectFrom('score_generations as g')
    .innerJoin('scoring_runs as r', (join) =>
      join.onRef('r.tenant_id', '=', 'g.tenant_id').onRef('r.id', '=', 'g.run_id'),
    )
    .leftJoin('scoring_active as a', 'a.tenant_id', 'g.tenant_id')
    .select(['g.number', 'g.tenant_id', 'g.run_id', 'g.state', 'r.generation', 'r.activated_at'])
    .select(['a.run_id as active_id', 'a.previous_run_id as previous_id'])
    .select(latestJob('r', 'status').as('job_status'))
    .where('g.state', 'in', ['building', 'ready'])
    .$if(tenantId !== undefined, (query) => query.where('g.tenant_id', '=', tenantId ?? ''))
    .orderBy('g.number', 'desc')
    .execute()
  const waiting = new Set<string>()
  return rows.filter((row) => {
    if (row.state === 'building')
      return row.generation !== row.number || (row.job_status !== 'queued' && row.job_status !== 'running')
    if (row.run_id === row.active_id || row.run_id === row.previous_id) return false
    // Rows are sorted newest first. Of the generations that were never activated only the newest is kept.
    if (row.activated_at !== null || waiting.has(row.tenant_id)) return true
    waiting.add(row.tenant_id)
    return false
  })
}

async function selectRemoving(db: Db): Promise<(Generation & { was_activated: 0 | 1 })[]> {
  const rows = await db
    .selectFrom('score_generations as g')
    .innerJoin('scoring_runs as r', (join) =>
      join.onRef('r.tenant_id', '=', 'g.tenant_id').onRef('r.id', '=', 'g.run_id'),
    )
    .select(['g.number', 'g.tenant_id', 'r.activated_at'])
    .where('g.state', '=', 'removing')
    .execute()
  return rows.map(({ activated_at, ...row }) => ({ ...row, was_activated: activated_at === null ? 0 : 1 }))
}

async function selectTenants(db: Db): Promise<{ tenant_id: string }[]> {
  return db.selectFrom('score_generations').select('tenant_id').distinct().where('state', '=', 'ready').execute()
}
