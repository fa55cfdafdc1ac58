import { defineFacts } from '../define-facts.ts'

export const interactionFacts = defineFacts({
  room: 'interactions',
  permissions: {
    'interactions.read': { role: 'viewer', label: 'See interactions' },
    'interactions.write': { role: 'operator', label: 'Record interactions' },
  },
  errors: { interaction_already_corrected: [409, 'Already corrected'] },
  workActions: {
    'interaction.add': 'Interaction recorded',
    'interaction.set_follow_up': 'Follow-up changed',
    // Events of earlier versions.
    'interaction.close_follow_up': 'Follow-up closed',
  },
  auditSubjects: {
    interaction: { label: 'Interaction', visibleTo: 'interactions.read' },
  },
  businessChildren: {
    interactions: { table: 'interactions', changed: 'has more interactions' },
  },
  otherBusinessTables: {
    follow_up_changes:
      'follow-up dates set by hand: each stays with the record on which it was set, also when a merge is reversed',
  },
  erasedCounts: { interactions: 'Interactions that were emptied' },
})
