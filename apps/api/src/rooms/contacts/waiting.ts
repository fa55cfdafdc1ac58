import { MAX_WALKED } from '../../http/pagination.ts'
import { countWanted } from '../../store/engine/count-up-to.ts'
import type { Waiting } from '../room.ts'
import { markedCandidates } from './candidates/candidates.queries.ts'

const openCandidates: Waiting = {
  key: 'contact_candidates',
  label: 'Contact candidates',
  permission: 'contacts.decide',
  link: { desk: 'contacts', query: {} },
  count: countOf('open'),
}

/** Candidates that a rule excludes from the open ones until a person releases them. */
const quarantinedCandidates: Waiting = {
  key: 'quarantined_contacts',
  label: 'Quarantined contacts',
  permission: 'contacts.decide',
  link: { desk: 'contacts', query: { show: 'quarantined' } },
  count: countOf('quarantined'),
}

function countOf(state: 'open' | 'quarantined'): Waiting['count'] {
  return ({ db, actor: { tenantId } }, bound) => {
    const filter = { businessIds: undefined, state, kind: undefined, rule: undefined } as const
    return countWanted(db, markedCandidates(db, tenantId, filter), { limit: bound, maxWalked: MAX_WALKED })
  }
}

export const waitingInContacts: readonly Waiting[] = [openCandidates, quarantinedCandidates]
