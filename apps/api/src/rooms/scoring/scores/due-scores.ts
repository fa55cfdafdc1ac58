import type { Logger } from 'pino'
import { eachIsolated } from '../../../lib/each-isolated.ts'
import type { Loop } from '../../../lib/every.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import type { Store } from '../../../store/store.ts'
import { ALGORITHM_VERSION } from '../rules/algorithm-version.ts'
import { type ActiveGeneration, selectActiveGenerations } from '../runs/runs.queries.ts'
import { selectDue } from './changed-records.queries.ts'
import { rescoreAll, rescoreChanged, rescorerOf } from './rescore-all.ts'

/** Interval at which scores that ended by time are looked up. */
const EVERY_MS = 5_000
const DUE_AT_ONCE = 200

/**
 * Starts the loop that scores records again whose score ended by time alone, and those that were found to differ from their score, which no event
 * names.
 */
export function startRescoringDue(store: Store, log: Pick<Logger, 'error'>): Loop {
  return everyInOneProcess(store, {
    name: 'scores that are due',
    ms: EVERY_MS,
    work: (isStopped) => rescoreAllDue(store, isStopped),
    log,
    failed: 'scoring due records again failed',
  })
}

/** Runs one round over all tenants with active scores. Errors: an `AggregateError` of the tenants that failed. */
export async function rescoreAllDue(store: Store, isStopped: () => boolean = () => false): Promise<void> {
  const generations = await selectActiveGenerations(store.reader)
  const byTenant = new Map(generations.map((active) => [active.tenantId, active]))
  await eachIsolated('tenant', byTenant.keys(), async (tenantId) => {
    const active = byTenant.get(tenantId)
    if (active === undefined || active.algorithm_version !== ALGORITHM_VERSION) return
    await rescoreChanged(store, active, { named: [], sequence: active.sequence }, isStopped)
    await rescoreDue(store, active, isStopped)
  })
}

async function rescoreDue(store: Store, active: ActiveGeneration, isStopped: () => boolean): Promise<void> {
  const { tenant, number: generation } = active
  while (!isStopped()) {
    const now = store.clock().getTime()
    const ids = await selectDue(store.reader, { tenant, generation, now, limit: DUE_AT_ONCE })
    if (ids.length === 0) return
    await rescoreAll(store, await rescorerOf(store, active), ids, 'time_passed', isStopped)
    if (ids.length < DUE_AT_ONCE) return
  }
}
