import type { Room } from '../../ui/rooms/room.ts'

export const noteRoom: Room = { recordParts: () => import('./notes.record.ts') }
