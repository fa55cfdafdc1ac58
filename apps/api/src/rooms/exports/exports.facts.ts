import { defineFacts } from '../define-facts.ts'

export const exportFacts = defineFacts({
  room: 'exports',
  permissions: {
    'exports.create': { role: 'manager', label: 'Export prospects, reports and the audit log' },
    'exports.read': { role: 'manager', label: 'See and download exports' },
  },
  errors: {
    export_not_ready: [409, 'File not ready'],
    export_outdated: [409, 'File may not be downloaded'],
    export_gone: [410, 'File deleted'],
  },
  workActions: {
    'export.request': 'Export requested',
    'export.write': 'Export written',
    'export.download': 'Export fetched',
    'export.remove': 'Export deleted',
  },
  auditSubjects: {
    export: { label: 'Export', visibleTo: 'exports.read' },
  },
  systemActors: ['exports'],
  erasedCounts: {
    exports: 'Deleted files of prospects and of the audit',
    searches: 'Exports whose search text was erased',
  },
})
