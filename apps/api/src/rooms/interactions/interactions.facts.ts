import { defineFacts } from '../define-facts.ts'

export const interactionFacts = defineFacts({
  room: 'interactions',
  permissions: {
    'interactions.read': { role: 'viewer', label: 'See interactions' },
    'interactions.write': { role: 'operator', label: 'Record interactions' },
  },
  errors: { interaction_already_corrected: [409, 'Already corrected'] },
  workActions: { 'interaction.add': 'Interaction recorded', 'interaction.close_follow_up': 'Follow-up closed' },
  auditSubjects: {
    interaction: { label: 'Interaction', visibleTo: 'interactions.read' },
  },
  businessChildren: {
    interactions: { table: 'interactions', changed: 'has more interactions' },
  },
  otherBusinessTables: {
    follow_up_closures: 'closed follow-up dates of its interactions: they leave with them when a merge is reversed',
  },
  erasedCounts: { interactions: 'Interactions that were emptied' },
})
