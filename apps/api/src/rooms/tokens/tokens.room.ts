import type { Room } from '../room.ts'
import { dailyTokenQuota, tokenQuota } from './tokens.quota.ts'
import { tokenRoutes } from './tokens.routes.ts'

export const tokenRoom: Room = {
  name: 'tokens',
  routes: [tokenRoutes],
  quotas: [tokenQuota, dailyTokenQuota],
  otherLimits: [{ name: 'token_requests' }],
}
