import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant, systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { getAdapterSource, recordLapses } from './decide.ts'
import { selectSources } from './registry.queries.ts'
import { readSourceStates } from './source-state.ts'

/** Number of sources that are read at once. */
const LOOKED_AT = 200

export type Registry = { store: Store; adapters: LoadedAdapters }

/**
 * Records that a source has lapsed, which means that an approval, its enablement or another condition is no longer valid. It does so within a minute of
 * an expiry. `startRegistryLapses` does so at once after an action of another room.
 */
export const recordSourceLapses: Upkeep<Registry> = {
  name: 'record lapses of sources',
  everyMs: 30_000,
  limit: 1,
  forTenant: ({ store, adapters, tenantId, isStopped }) => recordLapsesOf({ store, adapters }, tenantId, isStopped),
}

/**
 * Records every lapse that is not recorded yet (an item of an approved source that is no longer valid). Runs at start-up before any request. Returns
 * the number of sources.
 */
export async function recordAllLapses(recording: Registry): Promise<number> {
  let recorded = 0
  await forEachTenant(recording.store, async (tenantId) => {
    recorded += await recordLapsesOf(recording, tenantId)
  })
  return recorded
}

async function recordLapsesOf(
  { store, adapters }: Registry,
  tenantId: string,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let recorded = 0
  let after: [string, string] | undefined
  while (!isStopped()) {
    const rows = await selectSources(store.reader, { tenantId, after, limit: LOOKED_AT })
    const at = store.clock().toISOString()
    const states = await readSourceStates({ db: store.reader, tenantId, at, adapters }, rows)
    for (const { row, state } of states)
      if (state.unrecorded.length > 0 && (await recordLapse(store, adapters, tenantId, row.id))) recorded += 1
    const last = rows.at(-1)
    if (last === undefined || rows.length < LOOKED_AT) break
    after = [last.slug, last.id]
  }
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
