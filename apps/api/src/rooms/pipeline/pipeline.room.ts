import type { Room } from '../room.ts'
import { pipelineRoutes } from './pipeline.routes.ts'

export const pipelineRoom: Room = {
  name: 'pipeline',
  routes: [pipelineRoutes],
  erases: {
    pipeline_transitions: { set: { reason: null }, underBusiness: true, where: { reason: 'present' }, counts: 'moves' },
  },
}
