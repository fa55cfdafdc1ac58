import { labelOf, type Signal } from './signal.ts'

/** The vocabulary of the specification; the room of interactions lies above this one. A test compares both. */
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
