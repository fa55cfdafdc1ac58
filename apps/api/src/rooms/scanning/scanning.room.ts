import type { Room } from '../room.ts'
import { scanRoutes } from './scans/scans.routes.ts'
import { suppliedRoutes } from './supplied/supplied.routes.ts'
import { eraseScans } from './upkeep/empty-scans.ts'
import { startUpkeep } from './upkeep/upkeep.ts'

export const scanningRoom: Room = {
  name: 'scanning',
  routes: [scanRoutes, suppliedRoutes],
  loops: [{ name: 'scanning', start: ({ store, log }) => startUpkeep({ store, log }) }],
  erase: async (tx, businessIds) => ({ counts: { scans: await eraseScans(tx, businessIds) } }),
}
