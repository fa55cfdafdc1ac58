import { defineFacts } from '../define-facts.ts'

export const suppressionFacts = defineFacts({
  room: 'suppression',
  permissions: {
    'suppression.read': { role: 'operator', label: 'See suppression entries' },
    'suppression.add': { role: 'operator', label: 'Suppress addresses, numbers and domains' },
    'suppression.remove': { role: 'administrator', label: 'Remove suppressions and lift blocks' },
  },
  errors: { suppression_ended: [422, 'Entry ended'] },
  workActions: {
    'suppression.add': 'Suppression added',
    'suppression.request_again': 'Suppression requested again',
    'suppression.remove': 'Suppression removed',
    'suppression.keep_tombstone': 'Erased address kept suppressed',
    'suppression.reevaluate': 'Suppressions re-evaluated',
  },
  withholding: ['suppression.add', 'suppression.keep_tombstone', 'suppression.reevaluate'],
  auditSubjects: {
    suppression: { label: 'Suppression entry', visibleTo: 'suppression.read' },
  },
  systemActors: ['suppression'],
})
