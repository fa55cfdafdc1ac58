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

export const outcomes = Object.keys(outcomeNames) as InteractionOutcome[]

export const outcomeOptions = outcomes.map((value) => ({ value, label: outcomeNames[value] }))

export const isOutcome = (value: unknown): value is InteractionOutcome =>
  typeof value === 'string' && value in outcomeNames

/** Label of an interaction's outcome. An unknown outcome is shown as its code. */
export const outcomeName = (outcome: unknown): string => (isOutcome(outcome) ? outcomeNames[outcome] : String(outcome))
