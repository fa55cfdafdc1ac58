import type { Room } from '../room.ts'
import { pipelineRoutes } from './pipeline.routes.ts'
import { eraseReasons } from './pipeline.ts'

export const pipelineRoom: Room = {
  name: 'pipeline',
  routes: [pipelineRoutes],
  erase: async (tx, businessIds) => ({ counts: { moves: await eraseReasons(tx, businessIds) } }),
}
