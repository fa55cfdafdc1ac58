import type { Room } from '../room.ts'
import { pipelineRoutes } from './pipeline.routes.ts'

export const pipelineRoom: Room = {
  name: 'pipeline',
  routes: [pipelineRoutes],
  holds: {
    pipeline_transitions: {
      title: 'Moves in the pipeline',
      permission: 'businesses.read',
      columns: {
        id: 'Id',
        from_state: 'From',
        to_state: 'To',
        reason: 'Reason',
        at: 'At',
        actor: 'By',
        merge_id: 'Merge',
      },
    },
  },
  erases: {
    pipeline_transitions: { set: { reason: null }, underBusiness: true, where: { reason: 'present' }, counts: 'moves' },
  },
}
