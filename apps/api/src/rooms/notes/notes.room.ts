import { ERASED } from '../../store/change/empty-rows.ts'
import type { Room } from '../room.ts'
import { noteRoutes } from './notes.routes.ts'

export const noteRoom: Room = {
  name: 'notes',
  routes: [noteRoutes],
  erases: { notes: { set: { text: ERASED }, counts: 'notes' } },
}
