import type { Room } from '../../ui/rooms/room.ts'

export const pipelineRoom: Room = { recordParts: () => import('./pipeline.record.ts') }
