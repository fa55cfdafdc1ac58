import { defineFacts } from '../define-facts.ts'

export const reportFacts = defineFacts({
  room: 'reports',
  permissions: {
    'reports.read': { role: 'viewer', label: 'See reports' },
    'reports.create': { role: 'operator', label: 'Make reports' },
  },
  actions: { 'report.request': 'Report asked for', 'report.make': 'Report made' },
  erasedCounts: {
    tags: 'Reports and exports that do not say any more by which tag they were narrowed, as nobody carries it',
  },
})
