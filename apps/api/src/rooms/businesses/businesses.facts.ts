import { defineFacts } from '../define-facts.ts'

export const businessFacts = defineFacts({
  room: 'businesses',
  permissions: {
    'businesses.read': { role: 'viewer', label: 'See prospects' },
    'businesses.write': { role: 'operator', label: 'Create and edit prospects' },
    'businesses.deactivate': { role: 'operator', label: 'Deactivate prospects that they created in the last 24 hours' },
    'businesses.deactivate_any': { role: 'manager', label: 'Deactivate and reactivate any prospect' },
    'businesses.block': { role: 'operator', label: 'Mark a prospect as do not contact' },
  },
  errors: {
    business_not_active: [422, 'Business not active'],
    assignee_not_a_member: [422, 'Assignee is not a member'],
    not_blocked_by_hand: [422, 'Not blocked by hand'],
  },
  workActions: {
    'business.create': 'Prospect created',
    'business.edit': 'Prospect edited',
    'business.block': 'Do not contact',
    'business.unblock': 'Block lifted',
    'business.deactivate': 'Prospect deactivated',
    'business.reactivate': 'Prospect reactivated',
    'business.match_suppression': 'Matched by suppression',
  },
  withholding: ['business.block', 'business.match_suppression'],
  auditSubjects: {
    business: { label: 'Prospect', visibleTo: 'businesses.read' },
  },
  otherBusinessTables: {
    erasures: 'marks an erased record, which no merge accepts',
    business_identifiers: 'part of the record: a merge combines the identifiers of both',
    business_tags: 'part of the record: its tags as rows, for filters and counts',
  },
  capabilities: [
    {
      phase: 3,
      area: 'Manual prospect workflow',
      status: 'operational',
      reason: 'People work with businesses, evidence, notes and the pipeline, and every change is audited.',
    },
  ],
})
