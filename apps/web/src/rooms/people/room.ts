import type { Room } from '../../ui/rooms/room.ts'

export const peopleRoom: Room = { recordParts: () => import('./people.record.ts') }
