import type { Room } from '../room.ts'
import { evidenceRoutes } from './evidence.routes.ts'
import { evidenceOfBusiness } from './evidence.ts'

export const evidenceRoom: Room = {
  name: 'evidence',
  routes: [evidenceRoutes],
  erase: async (tx, businessIds) => ({ counts: { evidence: await evidenceOfBusiness.erase(tx, businessIds) } }),
}
