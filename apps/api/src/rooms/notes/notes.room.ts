import type { Room } from '../room.ts'
import { noteRoutes } from './notes.routes.ts'
import { eraseNotes } from './notes.ts'

export const noteRoom: Room = {
  name: 'notes',
  routes: [noteRoutes],
  erase: async (tx, businessIds) => ({ counts: { notes: await eraseNotes(tx, businessIds) } }),
}
