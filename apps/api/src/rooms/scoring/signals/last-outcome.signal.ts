import { labelOf, type Signal } from './signal.ts'

/** Copy of the outcomes of the interactions room, which is in a higher tier and cannot be imported. A test compares both lists. */
const outcomes = [
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

export const lastOutcome: Signal = {
  key: 'interactions.last_outcome',
  title: 'Last outcome',
  type: 'choice',
  choices: outcomes.map((value) => ({ value, label: labelOf(value) })),
  reads: 'interactions',
  datedBy: 'the last interaction',
  read: ({ interactions }) => interactions[0]?.outcome,
  datedAt: ({ interactions }) => interactions[0]?.at ?? null,
}
