import { defineFacts } from '../define-facts.ts'

export const noteFacts = defineFacts({
  room: 'notes',
  permissions: {
    'notes.read': { role: 'viewer', label: 'See notes' },
    'notes.write': { role: 'operator', label: 'Write notes' },
    'notes.read_sensitive': { role: 'manager', label: 'Read sensitive notes' },
  },
  workActions: { 'note.add': 'Note added' },
  auditSubjects: { note: { label: 'Note', visibleTo: 'notes.read' } },
  businessChildren: { notes: { table: 'notes', changed: 'has more notes' } },
  erasedCounts: { notes: 'Notes that were emptied' },
})
