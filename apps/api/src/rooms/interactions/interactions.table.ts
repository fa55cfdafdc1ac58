// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    interactions: InteractionTable
    follow_up_changes: FollowUpChangeTable
  }
}

export const channels = ['phone', 'email', 'message', 'meeting', 'letter', 'other'] as const
export type Channel = (typeof channels)[number]

/** Initiators of an interaction: the prospect (`inbound`) or one of our people (`outbound`), by means outside of this platform. */
export const directions = ['inbound', 'outbound'] as const
export type Direction = (typeof directions)[number]

/** A follow-up date that a person set, or cleared, without an interaction. `business_id`: the record on which the person did it. */
export type FollowUpChangeTable = {
  tenant_id: string
  business_id: string
  id: string
  follow_up_on: string | null
  changed_at: string
  changed_by: string
}

export type InteractionTable = {
  tenant_id: string
  id: string
  business_id: string
  occurred_at: string
  channel: Channel
  direction: Direction | null
  outcome:
    | 'connected'
    | 'no_answer'
    | 'left_message'
    | 'meeting_booked'
    | 'meeting_held'
    | 'qualified'
    | 'disqualified'
    | 'won'
    | 'lost'
    | 'other'
  summary: string | null
  /** JSON list of names */
  participants: string
  /** calendar date of the next follow-up */
  follow_up_on: string | null
  corrects_id: string | null
  on_do_not_contact: 0 | 1
  created_at: string
  created_by: string
  /** the person at the business who took part */
  person_id: string | null
}
