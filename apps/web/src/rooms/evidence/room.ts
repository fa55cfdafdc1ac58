import type { Room } from '../../ui/rooms/room.ts'

export const evidenceRoom: Room = { recordParts: () => import('./evidence.record.ts') }
