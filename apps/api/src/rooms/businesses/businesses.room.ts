import type { Room } from '../room.ts'
import { businessRoutes } from './businesses.routes.ts'
import { eraseBusinesses } from './record/erase-business.ts'
import { startRenewingSearch } from './search/renew-search.ts'

export const businessRoom: Room = {
  name: 'businesses',
  routes: [businessRoutes],
  loops: [{ name: 'search renewal', start: ({ store, log }) => startRenewingSearch(store, log) }],
  erase: async (tx, businessIds) => {
    await eraseBusinesses(tx, businessIds)
    return {}
  },
}
