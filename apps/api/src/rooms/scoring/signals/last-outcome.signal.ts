import { outcomes } from '../../interactions/interactions.thread.ts'
import { labelOf, type Signal } from './signal.ts'

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
