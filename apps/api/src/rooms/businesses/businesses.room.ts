import type { Room } from '../room.ts'
import { businessRoutes } from './businesses.routes.ts'
import { eraseBusinesses } from './record/erase-business.ts'
import { searchRenewal } from './search/renew-search.ts'

export const businessRoom: Room = {
  name: 'businesses',
  routes: [businessRoutes],
  upkeep: [searchRenewal],
  erase: async (tx, businessIds) => {
    await eraseBusinesses(tx, businessIds)
    return {}
  },
}
