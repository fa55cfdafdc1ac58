import { defineFacts } from '../define-facts.ts'

export const holdingFacts = defineFacts({
  room: 'holdings',
  permissions: {
    'holdings.create': { role: 'manager', label: 'Collect everything held about a prospect or a contact value' },
  },
  errors: {
    holding_not_ready: [409, 'File not ready'],
    holding_gone: [410, 'File deleted'],
    holding_outdated: [409, 'Erased meanwhile'],
  },
  workActions: {
    'holding.request': 'Everything held requested',
    'holding.write': 'Everything held collected',
    'holding.fail': 'Everything held not collected',
    'holding.download': 'Everything held downloaded',
    'holding.remove': 'File of everything held deleted',
  },
  auditSubjects: { holding: { label: 'Collection of everything held', visibleTo: 'holdings.create' } },
  otherBusinessTables: { holdings: 'collections of what was held at a time; the file is deleted after a day' },
  systemActors: ['holdings'],
  erasedCounts: { holdings: 'Files of everything held that were deleted' },
})
