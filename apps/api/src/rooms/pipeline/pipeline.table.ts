// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { PipelineState } from '../../lib/pipeline-state.ts'

declare module '../../store/database.ts' {
  interface Database {
    pipeline_transitions: PipelineTransitionTable
    pipeline_configurations: PipelineConfigurationTable
  }
}

export type PipelineTransitionTable = {
  tenant_id: string
  id: string
  business_id: string
  from_state: PipelineState
  to_state: PipelineState
  reason: string | null
  at: string
  actor: string
  correlation_id: string
  idempotency_key: string | null
  merge_id: string | null
}

export type PipelineConfigurationTable = {
  tenant_id: string
  version: number
  paused_enabled: 0 | 1
  disqualified_enabled: 0 | 1
  updated_at: string
}
