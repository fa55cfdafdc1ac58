import type { InteractionChannel, InteractionDirection, InteractionOutcome } from '@prospect/api-client'

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

const channelNames: Record<InteractionChannel, string> = {
  phone: 'Phone',
  email: 'E-mail',
  message: 'Message',
  meeting: 'Meeting',
  letter: 'Letter',
  other: 'Other',
}

const directionNames: Record<InteractionDirection, string> = {
  inbound: 'They reached out',
  outbound: 'We reached out',
}

export const outcomeName = (outcome: InteractionOutcome): string => outcomeNames[outcome]
export const channelName = (channel: InteractionChannel): string => channelNames[channel]
export const directionName = (direction: InteractionDirection): string => directionNames[direction]

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }))

export const outcomeOptions = optionsOf(outcomeNames)
export const channelOptions = optionsOf(channelNames)
export const directionOptions = optionsOf(directionNames)

export const isOutcome = (value: unknown): value is InteractionOutcome =>
  typeof value === 'string' && value in outcomeNames
export const isChannel = (value: unknown): value is InteractionChannel =>
  typeof value === 'string' && value in channelNames
export const isDirection = (value: unknown): value is InteractionDirection =>
  typeof value === 'string' && value in directionNames
