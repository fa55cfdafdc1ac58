import { type Retention, termOf, termWithoutTime } from '../retention-term.ts'
import { heldBounds } from './bounds.ts'
import { findCurrentPolicy } from './policies/policies.queries.ts'
import { emptyDueScans } from './upkeep/empty-scans.ts'
import { expireSites } from './upkeep/expire-sites.ts'

export const scanRetention: readonly Retention[] = [
  {
    key: 'scans',
    data: 'Pages, addresses and facts of scans',
    term: async ({ store, tenantId }) => termOf((await findCurrentPolicy(store.reader, tenantId)).retentionDays, 'day'),
    begins:
      'From the scan. The approved scan policy sets the period. A shorter one applies to earlier scans too, a longer one to new scans only.',
    ends: 'The content is deleted. The time, the person and the outcome of the scan remain.',
    tasks: [emptyDueScans.name],
  },
  {
    key: 'page_texts',
    data: 'Texts of pages that were read',
    term: termOf(heldBounds.minutes, 'minute'),
    begins: 'From the reading, in memory.',
    ends: 'The text is released. The facts that were read from it remain.',
  },
  {
    key: 'official_sites',
    data: 'Official sites of prospects',
    term: termWithoutTime('erasure'),
    begins: 'From the proposal. An approval ends at its date, and the site stays in the history of the prospect.',
    ends: 'An erasure empties the host and the reasons.',
    tasks: [expireSites.name],
  },
]
