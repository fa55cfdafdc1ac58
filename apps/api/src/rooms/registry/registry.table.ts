// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    registry_rounds: RegistryRoundTable
    registry_registrations: RegistryRegistrationTable
  }
}

export const roundStates = ['preparing', 'awaiting_result', 'confirming', 'closed', 'cancelled'] as const
export type RoundState = (typeof roundStates)[number]
export const roundForms = ['plain', 'sha256'] as const

export type RegistryRoundTable = {
  tenant_id: string
  id: string
  /** first attempt of the job that writes the file */
  job_id: string
  state: RoundState
  /** JSON list of the kinds of values */
  kinds: string
  form: (typeof roundForms)[number]
  /** JSON list of pipeline states; empty for all */
  states: string
  /** JSON list of the columns of the file */
  columns: string
  /** precedes each value that is hashed; null for a plain file */
  salt: string | null
  created_at: string
  created_by: string
  /** time at which the first value was read */
  begun_at: string | null
  /** newest audit event before the first value was read */
  begun_sequence: number | null
  /** an id that is larger than those of all records that existed then */
  begun_id: string | null
  /** JSON: counts, size and hash of the file */
  file: string | null
  /** JSON: size, hash and counts of the uploaded result */
  result: string | null
  result_by: string | null
  /** JSON: time, reason and job of the confirmation */
  confirmation: string | null
  confirmed_by: string | null
  /** JSON: what the confirmed run added */
  outcome: string | null
  /** JSON: the registration of the organisation at the end of the round */
  registration: string | null
  closed_at: string | null
  /** id of the audit event that closed the round */
  closed_event: string | null
  cancelled_at: string | null
  cancelled_because: string | null
}

export type RegistryRegistrationTable = {
  tenant_id: string
  version: number
  number: string | null
  /** last day on which the registration is valid */
  valid_until: string | null
  updated_at: string
  updated_by: string
}
