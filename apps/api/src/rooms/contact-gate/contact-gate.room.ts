import type { Room } from '../room.ts'

export const contactGateRoom: Room = { name: 'contact-gate' }
