import { ERASED } from '../../store/change/empty-rows.ts'
import type { Room } from '../room.ts'
import { noteRoutes } from './notes.routes.ts'

export const noteRoom: Room = {
  name: 'notes',
  routes: [noteRoutes],
  holds: {
    notes: {
      title: 'Notes',
      permission: 'notes.read_sensitive',
      columns: { id: 'Id', text: 'Text', sensitive: 'Sensitive', created_at: 'Written at', author: 'Written by' },
    },
  },
  erases: { notes: { set: { text: ERASED }, counts: 'notes' } },
}
