import { eachIsolated } from '../../../lib/each-isolated.ts'
import type { Store } from '../../../store/store.ts'
import type { Upkeep } from '../../room.ts'
import { ALGORITHM_VERSION } from '../rules/algorithm-version.ts'
import { type ActiveGeneration, selectActiveGenerations } from '../runs/runs.queries.ts'
import { selectDue } from './changed-records.queries.ts'
import type { Rescorer } from './rescore.ts'
import { RECORDS_AT_ONCE, rescoreAll, rescoreChanged, rescorerOf } from './rescore-all.ts'

/** Scores records again whose score ended by time alone, and those that were found to differ from their score, which no event names. */
export const rescoreDueRecords: Upkeep<{ store: Store }> = {
  name: 'score due records again',
  everyMs: 5_000,
  limit: RECORDS_AT_ONCE,
  forStore: ({ store, limit, isStopped }) => rescoreAllDue(store, isStopped, limit),
}

/** Runs one round over all tenants with active scores. Errors: an `AggregateError` of the tenants that failed. */
export async function rescoreAllDue(
  store: Store,
  isStopped: () => boolean = () => false,
  limit: number = RECORDS_AT_ONCE,
): Promise<void> {
  const generations = await selectActiveGenerations(store.reader)
  const byTenant = new Map(generations.map((active) => [active.tenantId, active]))
  await eachIsolated('tenant', byTenant.keys(), async (tenantId) => {
    const active = byTenant.get(tenantId)
    if (active === undefined || active.algorithm_version !== ALGORITHM_VERSION) return
    await rescoreChanged(store, active, { named: [], sequence: active.sequence }, isStopped)
    await rescoreDue(store, active, isStopped, limit)
  })
}

async function rescoreDue(
  store: Store,
  active: ActiveGeneration,
  isStopped: () => boolean,
  limit: number,
): Promise<void> {
  const { tenant, number: generation } = active
  let rescorer: Rescorer | undefined
  while (!isStopped()) {
    const now = store.clock().getTime()
    const ids = await selectDue(store.reader, { tenant, generation, now, limit })
    if (ids.length === 0) return
    rescorer ??= await rescorerOf(store, active)
    await rescoreAll(store, rescorer, ids, 'time_passed', isStopped)
    if (ids.length < limit) return
  }
}
