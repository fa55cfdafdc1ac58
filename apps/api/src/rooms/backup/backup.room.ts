import type { Room } from '../room.ts'

export const backupRoom: Room = { name: 'backup' }
