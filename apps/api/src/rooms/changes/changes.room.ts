import type { Room } from '../room.ts'
import { countStreams, streamsOfPerson, streamsOfTenant } from './change-streams.ts'
import { changeRoutes } from './changes.routes.ts'

export const changeRoom: Room = {
  name: 'changes',
  routes: [changeRoutes],
  limits: [streamsOfPerson, streamsOfTenant].map((limit) => ({
    ...limit,
    read: async ({ store }, owner) => ({ used: countStreams(store, limit, owner), max: limit.max }),
  })),
}
