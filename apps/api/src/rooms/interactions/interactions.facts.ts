import { defineFacts } from '../define-facts.ts'

export const interactionFacts = defineFacts({
  room: 'interactions',
  permissions: {
    'interactions.read': { role: 'viewer', label: 'See interactions' },
    'interactions.write': { role: 'operator', label: 'Record interactions' },
  },
  errors: { interaction_already_corrected: [409, 'Already corrected'] },
  actions: { 'interaction.add': 'Interaction recorded' },
  businessChildren: {
    interactions: { table: 'interactions', changed: 'has more interactions' },
  },
  erasedCounts: { interactions: 'Interactions that were emptied' },
})
