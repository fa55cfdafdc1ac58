import type { Room } from '../room.ts'
import { circuitRoutes } from './circuit/circuit.routes.ts'
import { recordRoutes } from './records/records.routes.ts'
import { eraseRecords } from './records/source-records.ts'
import { recordAllLapses, startKeepingSources } from './registry/keep-registry.ts'
import { rawRetention, sourceQuery } from './sources.jobs.ts'
import { sourceRoutes } from './sources.routes.ts'

export const sourceRoom: Room = {
  name: 'sources',
  routes: [sourceRoutes, circuitRoutes, recordRoutes],
  jobKinds: [sourceQuery, rawRetention],
  // Records lapses before the first request, because a missing adapter, a changed ADAPTERS_FILE or a restore can cause one. Correcting the cause
  // later does not undo a lapse.
  atStart: async ({ store, adapters }) => {
    await recordAllLapses({ store, adapters })
  },
  loops: [{ name: 'sources', start: ({ store, adapters, log }) => startKeepingSources({ store, adapters, log }) }],
  erase: async (tx, businessIds) => ({ counts: { sourceRecords: await eraseRecords(tx, businessIds) } }),
  capability: ({ adapters: { items } }) =>
    items.length === 0
      ? {}
      : {
          status: 'operational',
          reason: `Sources are registered, approved and queried. Loaded adapters: ${items.map(({ id, version }) => `${id} ${version}`).join(', ')}.`,
        },
}
