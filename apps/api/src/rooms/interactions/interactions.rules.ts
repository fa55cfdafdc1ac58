import type { Channel } from './interactions.table.ts'

/** How a request that reached us in an interaction is recorded in suppression entries. */
export const requestChannels = {
  phone: 'phone',
  email: 'email',
  message: 'other',
  meeting: 'in_person',
  letter: 'letter',
  other: 'other',
} as const satisfies Record<Channel, string>
