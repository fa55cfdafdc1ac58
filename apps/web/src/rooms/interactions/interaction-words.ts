import type { InteractionChannel, InteractionDirection } from '@prospect/api-client'

const channelNames: Record<InteractionChannel, string> = {
  phone: 'Phone',
  email: 'Email',
  message: 'Message',
  meeting: 'Meeting',
  letter: 'Letter',
  other: 'Other',
}

const directionNames: Record<InteractionDirection, string> = {
  inbound: 'Incoming',
  outbound: 'Outgoing',
}

export const channelName = (channel: InteractionChannel): string => channelNames[channel]
export const directionName = (direction: InteractionDirection): string => directionNames[direction]

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }))

export const channelOptions = optionsOf(channelNames)
export const directionOptions = optionsOf(directionNames)

export const isChannel = (value: unknown): value is InteractionChannel =>
  typeof value === 'string' && value in channelNames
export const isDirection = (value: unknown): value is InteractionDirection =>
  typeof value === 'string' && value in directionNames
