// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    jobs: JobTable
    job_events: JobEventTable
    job_effects: JobEffectTable
    job_prunings: JobPruningTable
    job_workers: JobWorkerTable
  }
}

export const jobStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type JobStatus = (typeof jobStatuses)[number]

export const jobEventTypes = [
  'created',
  'started',
  'progress',
  'checkpoint',
  'cancel_requested',
  'handed_back',
  'reclaimed',
  'succeeded',
  'failed',
  'cancelled',
] as const
export type JobEventType = (typeof jobEventTypes)[number]

export type JobTable = {
  tenant_id: string
  id: string
  lineage_id: string
  attempt: number
  retry_of: string | null
  kind: string
  input_json: string
  fingerprint: string
  idempotency_key: string | null
  actor: string
  correlation_id: string
  status: JobStatus
  owner: string | null
  claim: number
  reclaims: number
  cancel_requested_at: string | null
  cancel_requested_by: string | null
  progress_done: number | null
  progress_total: number | null
  progress_unit: string | null
  checkpoint_json: string | null
  result_json: string | null
  error_code: string | null
  error_message: string | null
  last_sequence: number
  created_at: string
  started_at: string | null
  ended_at: string | null
  token_id: string | null
}

export type JobEventTable = {
  tenant_id: string
  job_id: string
  sequence: number
  type: JobEventType
  at: string
  data_json: string
}

type JobEffectTable = {
  tenant_id: string
  lineage_id: string
  step: string
  job_id: string
  result_json: string
  at: string
}

type JobPruningTable = { tenant_id: string; job_id: string; through_sequence: number; at: string }

type JobWorkerTable = { id: string; beat: number; started_at: string }
