import type { Room } from '../room.ts'
import { businessRoutes } from './businesses.routes.ts'
import { eraseDerived, erasedTables } from './record/erase-business.ts'
import { searchRenewal } from './search/renew-search.ts'

export const businessRoom: Room = {
  name: 'businesses',
  routes: [businessRoutes],
  upkeep: [searchRenewal],
  erases: erasedTables,
  erase: async (tx, businessIds) => {
    await eraseDerived(tx, businessIds)
    return {}
  },
}
