/** Outcomes of an interaction (specification, Resources: Interaction outcome vocabulary). `other` covers everything else. */
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

export const channels = ['phone', 'email', 'message', 'meeting', 'letter', 'other'] as const
export type Channel = (typeof channels)[number]

/** Initiators of an interaction: the prospect (`inbound`) or one of our people (`outbound`), by means outside of this platform. */
export const directions = ['inbound', 'outbound'] as const
export type Direction = (typeof directions)[number]

/** How a request that reached us in an interaction is recorded in suppression entries. */
export const requestChannels = {
  phone: 'phone',
  email: 'email',
  message: 'other',
  meeting: 'in_person',
  letter: 'letter',
  other: 'other',
} as const satisfies Record<Channel, string>
