import type { Room } from '../room.ts'
import { evidenceRoutes } from './evidence.routes.ts'
import { eraseEvidence } from './evidence.ts'

export const evidenceRoom: Room = {
  name: 'evidence',
  routes: [evidenceRoutes],
  erase: async (tx, businessIds) => ({ counts: { evidence: await eraseEvidence(tx, businessIds) } }),
}
