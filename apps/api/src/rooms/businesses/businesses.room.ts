import { termWithoutTime } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { businessRoutes } from './businesses.routes.ts'
import { eraseDerived, erasedTables } from './record/erase-business.ts'
import { searchRenewal } from './search/renew-search.ts'

export const businessRoom: Room = {
  name: 'businesses',
  routes: [businessRoutes],
  upkeep: [searchRenewal],
  erases: erasedTables,
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
