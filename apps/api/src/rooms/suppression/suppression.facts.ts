import { defineFacts } from '../define-facts.ts'

export const suppressionFacts = defineFacts({
  room: 'suppression',
  permissions: {
    'suppression.read': { role: 'operator', label: 'See suppression entries' },
    'suppression.add': { role: 'operator', label: 'Suppress addresses, numbers and domains' },
    'suppression.remove': { role: 'administrator', label: 'Remove suppressions and lift blocks' },
  },
  errors: { suppression_ended: [422, 'The entry has ended'] },
  actions: {
    'suppression.add': 'Suppression added',
    'suppression.request_again': 'Suppression asked for again',
    'suppression.remove': 'Suppression removed',
    'suppression.keep_tombstone': 'Erased address kept suppressed',
    'suppression.reevaluate': 'Suppressions evaluated again',
  },
  systemActors: ['suppression'],
})
