import type { InteractionOutcome } from '@prospect/api-client'

const outcomeNames: Record<InteractionOutcome, string> = {
  connected: 'Connected',
  no_answer: 'No answer',
  left_message: 'Left a message',
  meeting_booked: 'Meeting booked',
  meeting_held: 'Meeting held',
  qualified: 'Qualified',
  disqualified: 'Disqualified',
  won: 'Won',
  lost: 'Lost',
  other: 'Other',
}

export const outcomeOptions = Object.entries(outcomeNames).map(([value, label]) => ({ value, label }))

export const isOutcome = (value: unknown): value is InteractionOutcome =>
  typeof value === 'string' && value in outcomeNames

/** Label of an interaction's outcome. An unknown outcome is shown as its code. */
export const outcomeName = (outcome: string): string => (isOutcome(outcome) ? outcomeNames[outcome] : outcome)
