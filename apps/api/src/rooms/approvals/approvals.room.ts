import type { Room } from '../room.ts'

export const approvalRoom: Room = { name: 'approvals' }
