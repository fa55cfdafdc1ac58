import type { Room } from '../room.ts'

export const contactRoom: Room = { name: 'contacts' }
