import { type Retention, termOf } from '../retention-term.ts'
import { rejectionDays } from './bounds.ts'
import { findEnablement } from './enablement/enablement.ts'
import { expireCandidates, expireCandidatesOfSites } from './upkeep/expire-candidates.ts'

export const contactRetention: readonly Retention[] = [
  {
    key: 'contact_candidates',
    data: 'Contact candidates without a decision',
    term: async ({ store, tenantId }) =>
      termOf((await findEnablement(store.reader, tenantId)).limits.retentionDays, 'day'),
    begins: 'From the extraction. The enablement of extraction sets the period of new candidates.',
    ends: 'The value and its context are deleted, also when the approval of the official site ends.',
    tasks: [expireCandidates.name, expireCandidatesOfSites.name],
  },
  {
    key: 'contact_rejections',
    data: 'Fingerprints of rejected contact values',
    term: termOf(rejectionDays, 'day'),
    begins: 'From the rejection.',
    ends: 'The value can be proposed again. An erasure deletes the fingerprint.',
  },
]
