import type { Room } from '../../ui/rooms/room.ts'

export const interactionRoom: Room = { recordParts: () => import('./interactions.record.ts') }
