import type { Suppression } from '@prospect/api-client'

/** How a request not to be contacted was received. */
export const channelWords: Record<Suppression['channel'], string> = {
  email: 'Email',
  phone: 'Phone call',
  letter: 'Letter',
  in_person: 'In person',
  website: 'Website',
  registry: 'Opt-out registry',
  internal: 'Own decision',
  other: 'Other or unknown',
}
export const channelOptions = Object.entries(channelWords).map(([value, label]) => ({ value, label }))

export const isRequestChannel = (value: unknown): value is Suppression['channel'] =>
  typeof value === 'string' && Object.hasOwn(channelWords, value)
