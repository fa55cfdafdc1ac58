import type { Room } from '../room.ts'
import { pipelineRoutes } from './pipeline.routes.ts'
import { transitionsOfBusiness } from './pipeline.ts'

export const pipelineRoom: Room = {
  name: 'pipeline',
  routes: [pipelineRoutes],
  erase: async (tx, businessIds) => ({ counts: { moves: await transitionsOfBusiness.erase(tx, businessIds) } }),
}
