import type { Room } from '../room.ts'
import { interactionRoutes } from './interactions.routes.ts'
import { interactionsOfBusiness } from './interactions.ts'

export const interactionRoom: Room = {
  name: 'interactions',
  routes: [interactionRoutes],
  erase: async (tx, businessIds) => ({ counts: { interactions: await interactionsOfBusiness.erase(tx, businessIds) } }),
}
