import type { Room } from '../room.ts'
import { auditVerification } from './audit.jobs.ts'
import { auditRoutes } from './audit.routes.ts'
import { startCheckpoints } from './checkpoints/keep-checkpoints.ts'

export const auditRoom: Room = {
  name: 'audit',
  routes: [auditRoutes],
  jobKinds: [auditVerification],
  loops: [{ name: 'audit checkpoints', start: ({ store, log }) => startCheckpoints(store, log) }],
}
