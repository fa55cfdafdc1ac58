import type { Room } from '../../ui/rooms/room.ts'

export const scoringRoom: Room = { recordParts: () => import('./scoring.record.ts') }
