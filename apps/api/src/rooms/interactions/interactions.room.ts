import type { Room } from '../room.ts'
import { interactionRoutes } from './interactions.routes.ts'

export const interactionRoom: Room = {
  name: 'interactions',
  routes: [interactionRoutes],
  erases: { interactions: { set: { summary: null, participants: '[]' }, counts: 'interactions' } },
  sample: async (desk) => (await import('./interactions.sample.ts')).sampleInteractions(desk),
}
