// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { Generated } from 'kysely'
import type { ContactText } from '../contact-gate/contact-gate.ts'

declare module '../../store/database.ts' {
  interface Database {
    sources: SourceTable
    source_versions: SourceVersionTable
    source_decisions: SourceDecisionTable
    source_desks: SourceDeskTable
    source_desk_sets: SourceDeskSetTable
    source_circuits: SourceCircuitTable
    source_incidents: SourceIncidentTable
    source_queries: SourceQueryTable
    source_permits: SourcePermitTable
    source_health: SourceHealthTable
    source_records: SourceRecordTable
    source_record_raws: SourceRecordRawTable
    source_raw_counts: SourceRawCountTable
    source_files: SourceFileTable
  }
}

/** Ids of the built-in sources. They are inserted with every tenant and are the same in each. */
export const MANUAL_SOURCE_ID = '00000000-0000-7000-8000-000000000001'
export const CSV_SOURCE_ID = '00000000-0000-7000-8000-000000000002'

export type SourceTable = {
  tenant_id: string
  id: string
  slug: string
  name: string
  description: string | null
  kind: 'built_in' | 'adapter'
  adapter_id: string | null
  adapter_version: string | null
  contract_version: number
  version: number
  created_at: string
  created_by: string
  updated_at: string
}

export type SourceVersionTable = {
  tenant_id: string
  source_id: string
  number: number
  /** JSON; see `contractSchema` */
  contract: string
  /** fingerprint of the version when it was saved */
  fingerprint: string
  author: string
  created_at: string
}

export const decisionKinds = [
  'approval',
  'rejection',
  'revocation',
  'enablement',
  'disablement',
  'lapse',
  'withdrawal',
] as const
export type DecisionKind = (typeof decisionKinds)[number]

export const desks = ['product', 'legal', 'security'] as const
export type Desk = (typeof desks)[number]

export type SourceDecisionTable = {
  tenant_id: string
  id: string
  source_id: string
  number: number
  kind: DecisionKind
  desk: Desk | null
  /** fingerprint of the version at the time of the decision */
  fingerprint: string
  reason: string
  ends_at: string | null
  revokes_id: string | null
  /** JSON of the items that are no longer valid, see `lapsedItemsSchema`; null for all other decisions */
  items: string | null
  /** the sequence of its event in the tenant's audit chain */
  sequence: number
  at: string
  actor: string
}

export type SourceDeskTable = { tenant_id: string; desk: Desk; user_id: string }
export type SourceDeskSetTable = { tenant_id: string; version: number; updated_at: string; updated_by: string }

export const circuitStates = ['closed', 'open', 'probation'] as const
export type CircuitState = (typeof circuitStates)[number]

export type SourceCircuitTable = {
  tenant_id: string
  id: string
  source_id: string
  state: CircuitState
  /** the id of the circuit's last transition to `open` */
  opening_id: string
  cause: string
  incident_id: string | null
  at: string
  actor: string
}

export const incidentKinds = ['incident', 'change'] as const
export type IncidentKind = (typeof incidentKinds)[number]

export type SourceIncidentTable = {
  tenant_id: string
  id: string
  source_id: string
  opening_id: string
  kind: IncidentKind
  description: string
  created_at: string
  created_by: string
  decision: 'approve' | 'reject' | null
  decision_reason: string | null
  decided_at: string | null
  decided_by: string | null
  used_at: string | null
}

export type SourceQueryTable = {
  tenant_id: string
  id: string
  source_id: string
  number: number
  kind: 'dry_run' | 'query'
  purpose: string
  business_id: string | null
  /** JSON: the query of a job; null for a dry run and for a query that the calling room sends at once */
  request: ContactText | null
  /** JSON: the maximum numbers of the plan, without its content */
  plan: string
  /** JSON; null while the query runs */
  outcome: string | null
  job_id: string | null
  at: string
  actor: string
  ended_at: string | null
}

export type SourcePermitTable = {
  tenant_id: string
  id: string
  source_id: string
  query_id: string
  attempt: number
  /** the requested host, if the source has varying hosts */
  target: ContactText | null
  circuit_id: string | null
  taken_at: string
  lease_until: string
  ended_at: string | null
  is_failure: 0 | 1 | null
  cause: string | null
  latency_ms: number | null
  bytes: number | null
  defer_until: string | null
}

export const healthIntervals = ['minutes_5', 'day'] as const
export type HealthInterval = (typeof healthIntervals)[number]

export type SourceHealthTable = {
  tenant_id: string
  source_id: string
  interval: HealthInterval
  starts_at: string
  requests: Generated<number>
  answers: Generated<number>
  rate_limited: Generated<number>
  timeouts: Generated<number>
  errors: Generated<number>
  bytes: Generated<number>
  /** JSON: number of requests by step of duration */
  latencies: Generated<string>
  circuit: Generated<CircuitState>
  raw_kept: Generated<number>
  raw_deleted: Generated<number>
  raw_failed: Generated<number>
  refused: Generated<number>
}

export type SourceRecordTable = {
  tenant_id: string
  id: string
  business_id: string
  source_id: string
  number: number
  query_id: string | null
  /** identifies the record within its business; null if the record has no identity */
  identity: string | null
  /** the identifier that the provider gave to the record */
  reference: string | null
  raw_sha256: string | null
  attribution: string
  captured_at: string
  observed_at: string | null
  csv_file_sha256: string | null
  csv_row: number | null
  csv_line: number | null
  created_at: string
  created_by: string
}

/** States of a record's raw text. `none`: no raw text was stored. */
export const rawStates = ['none', 'kept', 'deleted', 'failed'] as const
export type RawState = (typeof rawStates)[number]

export type SourceRecordRawTable = {
  tenant_id: string
  record_id: string
  source_id: string
  raw: string | null
  state: RawState
  delete_after: string | null
  deleted_at: string | null
  deleted_by: string | null
  reason: string | null
  failure: string | null
}

/** Number of stored raw texts of a tenant, counted by triggers. */
export type SourceRawCountTable = { tenant_id: string; count: number }

export type SourceFileTable = {
  tenant_id: string
  id: string
  sha256: string
  name: string
  label: string
  owner_id: string
  purpose: string
  legal_basis: string
  created_at: string
  created_by: string
}
