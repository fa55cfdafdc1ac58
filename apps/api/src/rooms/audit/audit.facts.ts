import { defineFacts } from '../define-facts.ts'

export const auditFacts = defineFacts({
  room: 'audit',
  permissions: {
    'audit.read': { role: 'manager', label: 'See the audit log' },
    'audit.verify': { role: 'manager', label: 'Verify the audit log' },
  },
  securityActions: { 'audit.restart_checkpoints': 'Checkpoints restarted' },
  otherBusinessTables: {
    audit_events: 'merges count the events of each record separately',
  },
})
