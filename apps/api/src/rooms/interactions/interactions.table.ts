import type { Channel, Direction, Outcome } from './interactions.rules.ts'

declare module '../../store/database.ts' {
  interface Database {
    interactions: InteractionTable
    follow_up_closures: FollowUpClosureTable
  }
}

/** A follow-up date that a person closed by hand. `business_id`: the record that the interaction was written for. */
export type FollowUpClosureTable = {
  tenant_id: string
  interaction_id: string
  business_id: string
  follow_up_on: string
  closed_at: string
  closed_by: string
}

export type InteractionTable = {
  tenant_id: string
  id: string
  business_id: string
  occurred_at: string
  channel: Channel
  direction: Direction | null
  outcome: Outcome
  summary: string | null
  /** a JSON list of names */
  participants: string
  /** a calendar date */
  follow_up_on: string | null
  corrects_id: string | null
  on_do_not_contact: 0 | 1
  created_at: string
  created_by: string
}
