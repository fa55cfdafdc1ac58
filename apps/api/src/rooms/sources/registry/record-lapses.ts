import type { FastifyBaseLogger } from 'fastify'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant, systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { getAdapterSource, recordLapses } from './decide.ts'
import { selectSources } from './registry.queries.ts'
import { readStandings } from './source-state.ts'

/** Number of sources that are read at once. */
const LOOKED_AT = 200

/** Audit actions of other rooms that can end the enablement of a source: its terms owner leaves, or the store is restored. */
const causes: ReadonlySet<string> = new Set(['user.remove', 'user.disable', 'store.restore'])

type Recording = { store: Store; adapters: LoadedAdapters }

/**
 * Records that a source has lapsed, which means that an approval, its enablement or another condition is no longer valid. It does so within a minute of
 * an expiry. `startRecordingLapses` does so at once after an action of another room.
 */
export const recordSourceLapses: Upkeep<Recording> = {
  name: 'record lapses of sources',
  everyMs: 30_000,
  limit: 1,
  forTenant: ({ store, adapters, tenantId, isStopped }) => recordLapsesOf({ store, adapters }, tenantId, isStopped),
}

/** Starts the listener that records lapses after an action of this process that can end an enablement. */
export function startRecordingLapses(
  recording: Recording,
  log: Pick<FastifyBaseLogger, 'error'>,
): { stop(): Promise<void> } {
  const { signals } = recording.store
  let following: Promise<unknown> = Promise.resolve()
  const onRecorded = (_tenantId: string, actions: readonly string[]) => {
    if (!actions.some((action) => causes.has(action))) return
    following = following
      .then(() => recordAllLapses(recording))
      .catch((error: unknown) => log.error({ err: error }, 'recording lapses of sources failed'))
  }
  signals.on('recorded', onRecorded)
  return {
    stop: async () => {
      signals.off('recorded', onRecorded)
      await following
    },
  }
}

/**
 * Records every lapse that is not recorded yet (an item of an approved source that is no longer valid). Runs at start-up before any request. Returns
 * the number of sources.
 */
export async function recordAllLapses(recording: Recording): Promise<number> {
  let recorded = 0
  await forEachTenant(recording.store, async (tenantId) => {
    recorded += await recordLapsesOf(recording, tenantId)
  })
  return recorded
}

async function recordLapsesOf(
  { store, adapters }: Recording,
  tenantId: string,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let recorded = 0
  let after: [string, string] | undefined
  while (!isStopped()) {
    const rows = await selectSources(store.reader, { tenantId, after, limit: LOOKED_AT })
    const at = store.clock().toISOString()
    const standings = await readStandings({ db: store.reader, tenantId, at, adapters }, rows)
    for (const { row, standing } of standings)
      if (standing.unrecorded.length > 0 && (await recordLapse(store, adapters, tenantId, row.id))) recorded += 1
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
