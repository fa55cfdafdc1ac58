import type { Channel, Direction, Outcome } from './interactions.rules.ts'

declare module '../../store/database.ts' {
  interface Database {
    interactions: InteractionTable
  }
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
