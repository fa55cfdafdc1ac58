import { defineFacts } from '../define-facts.ts'

export const reviewDecisionFacts = defineFacts({
  room: 'review-decisions',
  permissions: {
    'review.read': { role: 'viewer', label: 'See reviews and the review queue' },
    'review.decide': { role: 'operator', label: 'Review prospects' },
    'review.configure': { role: 'manager', label: 'Set the review term' },
  },
  errors: {
    review_outdated: [409, 'The record changed since it was opened'],
    fact_contradicted: [422, 'Evidence contradicts this fact'],
  },
  workActions: {
    'review.open': 'Prospect opened for review',
    'review.decide': 'Prospect reviewed',
    'review.configure': 'Review term changed',
  },
  auditSubjects: {
    review: { label: 'Review', visibleTo: 'review.read' },
  },
  systemActors: ['review'],
  businessChildren: { reviews: { table: 'reviews', changed: 'has more reviews' } },
  otherBusinessTables: {
    review_states: 'the current review of the record itself',
    review_claims: 'who has the record open, for some minutes',
  },
  erasedCounts: {
    reviews: 'Reviews that were emptied',
  },
})
