import type { Room } from '../room.ts'
import { passkeyQuota } from './factors/factors.quota.ts'
import { identityRoutes } from './identity.routes.ts'
import { countSessionsOfUser } from './sessions/sessions.queries.ts'
import { sessionLimit } from './sessions/sessions.ts'

export const identityRoom: Room = {
  name: 'identity',
  routes: [identityRoutes],
  quotas: [passkeyQuota],
  limits: [
    {
      ...sessionLimit,
      read: async ({ store }, { userId, now }) => ({
        used: await countSessionsOfUser(store.reader, userId, now),
        max: sessionLimit.max,
      }),
    },
  ],
}
