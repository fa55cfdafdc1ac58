import { termWithoutTime } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { businessRoutes } from './businesses.routes.ts'
import { eraseDerived, erasedTables } from './record/erase-business.ts'
import { heldTables } from './record/held-tables.ts'
import { searchRenewal } from './search/renew-search.ts'

export const businessRoom: Room = {
  name: 'businesses',
  routes: [businessRoutes],
  upkeep: [searchRenewal],
  erases: erasedTables,
  holds: heldTables,
  holdsNothing: {
    business_tags: 'the tags of the record as rows, for filters and counts',
    business_search: 'the words of the record, folded for searches',
    business_search_pending: 'the words of the record, until they are in the search index',
    business_name_keys: 'the name of the record, folded for comparing',
    erasures: 'marks an erased record, which holds nothing',
  },
  retention: [
    {
      key: 'prospects',
      data: 'Prospects with their evidence, notes, interactions, reviews and drafts',
      term: termWithoutTime('erasure'),
      begins: 'From their creation. Deactivating or merging a prospect deletes nothing.',
      ends: 'An erasure empties the content of the prospect and of its records, also those merged into it.',
    },
  ],
  erase: async (tx, businessIds) => {
    await eraseDerived(tx, businessIds)
    return {}
  },
}
