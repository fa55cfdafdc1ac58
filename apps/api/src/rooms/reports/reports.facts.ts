import { defineFacts } from '../define-facts.ts'

export const reportFacts = defineFacts({
  room: 'reports',
  permissions: {
    'reports.read': { role: 'viewer', label: 'See reports' },
    'reports.create': { role: 'operator', label: 'Make reports' },
  },
  workActions: { 'report.request': 'Report requested', 'report.make': 'Report made' },
  auditSubjects: {
    report: { label: 'Report', visibleTo: 'reports.read' },
  },
  erasedCounts: {
    tags: 'Reports and exports whose filter lost a tag or text that no record has any more',
  },
})
