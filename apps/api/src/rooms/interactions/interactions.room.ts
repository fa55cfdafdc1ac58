import type { Room } from '../room.ts'
import { interactionRoutes } from './interactions.routes.ts'
import { eraseInteractions } from './interactions.ts'

export const interactionRoom: Room = {
  name: 'interactions',
  routes: [interactionRoutes],
  erase: async (tx, businessIds) => ({ counts: { interactions: await eraseInteractions(tx, businessIds) } }),
}
