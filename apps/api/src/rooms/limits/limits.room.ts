import { bodySize } from '../../http/problem.ts'
import { writtenBytesLimit } from '../../http/written-bytes.ts'
import type { Room } from '../room.ts'
import { limitRoutes } from './limits.routes.ts'

export const limitRoom: Room = {
  name: 'limits',
  routes: [limitRoutes],
  otherLimits: [bodySize, { name: 'waiting_searches' }],
  limits: [
    {
      ...writtenBytesLimit,
      unit: 'bytes',
      read: async ({ written }, { tenantId }) => ({ used: written.usedOf(tenantId), max: written.atOnce }),
    },
  ],
}
