import { countUpTo } from '../../store/engine/count-up-to.ts'
import type { Waiting } from '../room.ts'
import { incidentsOf } from './circuit/circuit.queries.ts'
import { listSources } from './registry/read-sources.ts'

/** Sources of which this person can take the next step. */
const sourcesToDecide: Waiting = {
  key: 'sources',
  label: 'Sources',
  permission: 'sources.read',
  link: { desk: 'sources', query: { waitingForMe: 'true' } },
  count: async ({ store, cursors, adapters, actor }) => {
    const { page } = await listSources({ store, adapters, actor }, cursors, { waitingForMe: true, limit: 1 })
    return { count: page.total?.value ?? 0, isWhole: true }
  },
}

/** Incident records of other people that nobody has decided about. */
const incidentsToDecide: Waiting = {
  key: 'source_incidents',
  label: 'Incidents of sources',
  permission: 'sources.reset_circuit',
  link: { desk: 'incidents', query: {} },
  count: async ({ db, actor: { tenantId, userId } }, bound) => {
    const rows = incidentsOf(db, tenantId).where('i.decision', 'is', null).where('i.created_by', '<>', userId)
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

export const waitingInSources: readonly Waiting[] = [sourcesToDecide, incidentsToDecide]
