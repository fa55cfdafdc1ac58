import { defineFacts } from '../define-facts.ts'

export const evidenceFacts = defineFacts({
  room: 'evidence',
  permissions: {
    'evidence.read': { role: 'viewer', label: 'See evidence' },
    'evidence.write': { role: 'operator', label: 'Add evidence' },
  },
  errors: { evidence_already_superseded: [409, 'Already superseded'] },
  workActions: { 'evidence.add': 'Evidence added' },
  auditSubjects: {
    evidence: { label: 'Evidence', visibleTo: 'evidence.read' },
  },
  businessChildren: { evidence: { table: 'evidence', changed: 'has more evidence' } },
  erasedCounts: { evidence: 'Observations that were emptied' },
})
