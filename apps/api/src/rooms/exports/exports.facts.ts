import { defineFacts } from '../define-facts.ts'

export const exportFacts = defineFacts({
  room: 'exports',
  permissions: {
    'exports.create': { role: 'manager', label: 'Export prospects and reports' },
    'exports.read': { role: 'manager', label: 'See and fetch exports' },
  },
  errors: {
    export_not_ready: [409, 'The file is not written'],
    export_outdated: [409, 'The file may not be handed out'],
    export_gone: [410, 'The file is gone'],
  },
  actions: {
    'export.request': 'Export asked for',
    'export.write': 'Export written',
    'export.download': 'Export fetched',
    'export.remove': 'Export taken away',
  },
  systemActors: ['exports'],
  erasedCounts: {
    exports: 'Files of prospects that were taken away',
    searches: 'Exports that do not say any more what was searched for',
  },
})
