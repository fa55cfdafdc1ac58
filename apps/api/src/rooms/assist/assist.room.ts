import type { Room } from '../room.ts'
import { briefRoutes } from './brief/brief.routes.ts'

export const assistRoom: Room = {
  name: 'assist',
  routes: [briefRoutes],
}
