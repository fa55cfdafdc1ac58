import type { Room } from '../room.ts'
import { noteRoutes } from './notes.routes.ts'
import { notesOfBusiness } from './notes.ts'

export const noteRoom: Room = {
  name: 'notes',
  routes: [noteRoutes],
  erase: async (tx, businessIds) => ({ counts: { notes: await notesOfBusiness.erase(tx, businessIds) } }),
}
