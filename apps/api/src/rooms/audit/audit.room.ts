import { termWithoutTime } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { auditVerification } from './audit.jobs.ts'
import { auditRoutes } from './audit.routes.ts'
import { startCheckpoints } from './checkpoints/keep-checkpoints.ts'

export const auditRoom: Room = {
  name: 'audit',
  routes: [auditRoutes],
  jobKinds: [auditVerification],
  holds: {
    audit_events: {
      title: 'Audit events',
      permission: 'audit.read',
      along: 'audit_events_by_business',
      order: 'sequence',
      json: ['before_json', 'after_json'],
      columns: {
        sequence: 'Number',
        id: 'Id',
        at: 'At',
        actor: 'By',
        action: 'Action',
        subject_type: 'About',
        subject_id: 'Id of the record',
        before_json: 'Before',
        after_json: 'After',
        reason: 'Reason',
      },
    },
  },
  holdsNothing: { audit_redactions: 'hashes of erased values' },
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
