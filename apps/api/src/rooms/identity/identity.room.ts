import { termOf } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { inspectCompanyKeys } from './company/jwks-file.ts'
import { passkeyQuota } from './factors/factors.quota.ts'
import { identityRoutes } from './identity.routes.ts'
import { countSessionsOfUser } from './sessions/sessions.queries.ts'
import { sessionLimit } from './sessions/sessions.ts'

export const identityRoom: Room = {
  name: 'identity',
  routes: [identityRoutes],
  quotas: [passkeyQuota],
  atStart: async ({ config, store, log }) => {
    if (config.companySignIn === undefined) return
    const { keys, ageDays, problem } = await inspectCompanyKeys(config.companySignIn, store.clock())
    // The start continues: people sign in with their passwords meanwhile, and the file is read again when it changes.
    if (problem !== null) log.warn({ keys, ageDays }, problem)
  },
  retention: [
    {
      key: 'sessions',
      data: 'Sessions of signed-in people',
      term: async ({ config }) => termOf(config.sessionAbsoluteHours, 'hour'),
      begins: 'From the sign-in, and for less time without use. The configuration of the server sets the period.',
      ends: 'The session can no longer be used and is deleted. The sign-in remains in the security events.',
    },
  ],
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
