/**
 * Outcomes of an interaction (specification, Resources: Interaction outcome vocabulary). `other` covers everything else. The businesses table, the
 * filters of lists and the interactions room share them.
 */
export const outcomes = [
  'connected',
  'no_answer',
  'left_message',
  'meeting_booked',
  'meeting_held',
  'qualified',
  'disqualified',
  'won',
  'lost',
  'other',
] as const
export type Outcome = (typeof outcomes)[number]
