import type { Room } from '../room.ts'
import { businessRoutes } from './businesses.routes.ts'
import { eraseBusinesses } from './record/erase-business.ts'

export const businessRoom: Room = {
  name: 'businesses',
  routes: [businessRoutes],
  erase: async (tx, businessIds) => {
    await eraseBusinesses(tx, businessIds)
    return {}
  },
}
