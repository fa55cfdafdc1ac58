import type { Room } from '../../ui/rooms/room.ts'

export const erasureRoom: Room = { recordParts: () => import('./erasure.record.ts') }
