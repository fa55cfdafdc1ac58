import type { Room } from '../../ui/rooms/room.ts'

export const assistRoom: Room = { recordParts: () => import('./assist.record.ts') }
