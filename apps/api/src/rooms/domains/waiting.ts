import { countUpTo } from '../../store/engine/count-up-to.ts'
import type { Waiting } from '../room.ts'
import { listedStates } from './candidates/candidates.queries.ts'

const openCandidates: Waiting = {
  key: 'domain_candidates',
  label: 'Domain suggestions',
  permission: 'domains.decide',
  link: { desk: 'domains', query: {} },
  count: async ({ db, actor: { tenantId } }, bound) => {
    const rows = listedStates(db, tenantId, { state: 'open', domain: undefined, businessIds: undefined })
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

export const waitingInDomains: readonly Waiting[] = [openCandidates]
