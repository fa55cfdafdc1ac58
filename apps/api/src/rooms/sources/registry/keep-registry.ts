import type { FastifyBaseLogger } from 'fastify'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant, systemActor } from '../../identity/identity.ts'
import { ensureJob } from '../../jobs/jobs.ts'
import { endQueriesOfNoJob } from '../asking/end-queries.ts'
import { deleteOldPermits } from '../asking/permits.queries.ts'
import { deleteOldHealth } from '../health/health.queries.ts'
import { keptDays, startOf } from '../health/health.rules.ts'
import { hasDueRaw } from '../records/records.queries.ts'
import { rawRetention } from '../sources.jobs.ts'
import { healthIntervals } from '../sources.table.ts'
import { getAdapterSource, recordLapses } from './decide.ts'
import { selectSources } from './registry.queries.ts'
import { readStandings } from './source-state.ts'

/** Interval of the check for expired items, so that an expiry is recorded within a minute. */
const LAPSES_EVERY_MS = 30_000
const UPKEEP_EVERY_MS = 600_000
const DAY_MS = 86_400_000
/** Number of sources that are read at once. */
const LOOKED_AT = 200
const PERMITS_AT_ONCE = 5_000
/** Days for which permits are stored for the history. Their counts by time are stored separately and for longer. */
const PERMITS_KEPT_DAYS = 30

type Log = Pick<FastifyBaseLogger, 'error'>
export type Registry = { store: Store; adapters: LoadedAdapters }
type Keeping = Registry & { log: Log }

/**
 * Starts the two upkeep loops of sources. The first records that a source has lapsed, which means that an approval, its enablement or another
 * condition is no longer valid. It does so within a minute; `lapseFollower` does after an action of another room that ends an enablement. The
 * second ends queries without a job whose process died, queues the deletion of due raw texts, and deletes old permits and health counts. Both run in only one of
 * the processes that have the store open.
 */
export function startKeepingSources(keeping: Keeping): { stop(): Promise<void> } {
  const { store, log } = keeping
  const loops = [
    everyInOneProcess(store, {
      name: 'lapses of sources',
      ms: LAPSES_EVERY_MS,
      work: () => recordAllLapses(keeping),
      log,
      failed: 'recording lapses of sources failed',
    }),
    everyInOneProcess(store, {
      name: 'source upkeep',
      ms: UPKEEP_EVERY_MS,
      work: () => runUpkeep(keeping),
      log,
      failed: 'the source upkeep failed',
    }),
  ]
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/**
 * Records every lapse that is not recorded yet (an item of an approved source that is no longer valid). Runs at start-up before any request. Returns
 * the number of sources.
 */
export async function recordAllLapses({ store, adapters }: Registry): Promise<number> {
  let recorded = 0
  await forEachTenant(store, async (tenantId) => {
    let after: [string, string] | undefined
    for (;;) {
      const rows = await selectSources(store.reader, { tenantId, after, limit: LOOKED_AT })
      const at = store.clock().toISOString()
      const standings = await readStandings({ db: store.reader, tenantId, at, adapters }, rows)
      for (const { row, standing } of standings)
        if (standing.unrecorded.length > 0 && (await recordLapse(store, adapters, tenantId, row.id))) recorded += 1
      const last = rows.at(-1)
      if (last === undefined || rows.length < LOOKED_AT) return
      after = [last.slug, last.id]
    }
  })
  return recorded
}

async function recordLapse(
  store: Store,
  adapters: LoadedAdapters,
  tenantId: string,
  sourceId: string,
): Promise<boolean> {
  const actor = systemActor('sources', tenantId)
  const { value } = await change(store, actor, { permission: null, action: 'source.lapse' }, async (tx) => {
    const source = await getAdapterSource({ tx, adapters }, sourceId)
    return (await recordLapses({ tx }, source)) || unchanged(false)
  })
  return value
}

/** Runs the periodic work of the second loop once. */
export async function runUpkeep({ store }: Pick<Keeping, 'store'>): Promise<void> {
  const now = store.clock()
  await forEachTenant(store, async (tenantId) => {
    await endQueriesOfNoJob(store, tenantId)
    if (await hasDueRaw(store.reader, tenantId, now.toISOString()))
      await ensureJob(store, rawRetention, { tenantId, by: 'sources' })
    await forget(store, tenantId, now)
  })
}

/** Deletes expired counts and permits. It records no event, because the audit already contains the queries and their outcomes. */
async function forget(store: Store, tenantId: string, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  await store.write({ tenantId }, async (db) => {
    let forgotten = await deleteOldPermits(db, tenantId, daysAgo(PERMITS_KEPT_DAYS), PERMITS_AT_ONCE)
    for (const interval of healthIntervals)
      forgotten += await deleteOldHealth(db, tenantId, interval, startOf(interval, daysAgo(keptDays[interval])))
    return { keep: forgotten > 0, value: undefined }
  })
}
