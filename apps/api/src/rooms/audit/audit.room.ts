import { termWithoutTime } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { auditVerification } from './audit.jobs.ts'
import { auditRoutes } from './audit.routes.ts'
import { startCheckpoints } from './checkpoints/keep-checkpoints.ts'

export const auditRoom: Room = {
  name: 'audit',
  routes: [auditRoutes],
  jobKinds: [auditVerification],
  retention: [
    {
      key: 'audit_events',
      data: 'Events of the audit log and security events',
      term: termWithoutTime('always'),
      begins: 'From the event.',
      ends: 'No event is deleted. An erasure empties the values of the erased prospect in its events.',
    },
  ],
  loops: [{ name: 'audit checkpoints', start: ({ store, log }) => startCheckpoints(store, log) }],
}
