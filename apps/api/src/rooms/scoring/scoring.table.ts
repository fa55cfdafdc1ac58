// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { Generated } from 'kysely'

declare module '../../store/database.ts' {
  interface Database {
    scoring_rule_sets: RuleSetTable
    scoring_versions: VersionTable
    scoring_editors: EditorTable
    scoring_previews: PreviewTable
    scoring_preview_moves: PreviewMoveTable
    scoring_runs: RunTable
    scoring_failures: FailureTable
    scoring_activations: ActivationTable
    scoring_active: ActiveTable
    score_generations: GenerationTable
    scores: ScoreTable
    score_order: ScoreOrderTable
    score_due: ScoreDueTable
    score_counts: ScoreCountTable
    score_changes: ScoreChangeTable
    score_history: ScoreHistoryTable
    score_moves: ScoreMoveTable
  }
}

export type RuleSetTable = {
  tenant_id: string
  id: string
  version: number
  name: string
  description: string | null
  owner_id: string
  created_at: string
  created_by: string
  updated_at: string
}

export const versionStates = ['draft', 'submitted', 'approved', 'rejected', 'retired'] as const
export type VersionState = (typeof versionStates)[number]

export type VersionTable = {
  tenant_id: string
  rule_set_id: string
  /** number of the version within its rule set */
  number: number
  /** edit counter for optimistic concurrency */
  version: number
  state: VersionState
  based_on: number | null
  template: string | null
  /** JSON */
  content: string
  content_hash: string
  rollback_plan: string | null
  created_at: string
  created_by: string
  updated_at: string
  submitted_at: string | null
  submitted_by: string | null
  preview_id: string | null
  decided_at: string | null
  decided_by: string | null
  decision_reason: string | null
  retired_at: string | null
  retired_by: string | null
  retirement_reason: string | null
}

type EditorTable = { tenant_id: string; rule_set_id: string; number: number; user_id: string; at: string }

export type PreviewTable = {
  tenant_id: string
  id: string
  rule_set_id: string
  number: number
  content_hash: string
  /** JSON: rule set and version to compare with; null compares with no scores */
  against: string | null
  job_id: string
  algorithm_version: string | null
  /** JSON */
  result: string | null
  created_at: string
  created_by: string
  completed_at: string | null
  expires_at: string
}

export type PreviewMoveTable = {
  tenant_id: string
  preview_id: string
  matrix: 'priority' | 'eligibility'
  from_cell: string
  to_cell: string
  place: number
  business_id: string
  from_low: number | null
  from_high: number | null
  to_low: number | null
  to_high: number | null
}

export type RunTable = {
  tenant_id: string
  id: string
  rule_set_id: string
  number: number
  content_hash: string
  job_id: string
  reason: string
  activate: 'when_complete' | 'by_hand'
  active_when_created: string | null
  status: 'queued' | 'running' | 'complete' | 'partial' | 'stopped'
  generation: number | null
  algorithm_version: string | null
  cutoff_sequence: number | null
  cutoff_at: string | null
  started_at: string | null
  ended_at: string | null
  /** JSON */
  counts: string | null
  digest: string | null
  /** JSON */
  read_back: string | null
  stopped_because: string | null
  activated_at: string | null
  superseded_at: string | null
  created_at: string
  created_by: string
}

type FailureTable = { tenant_id: string; run_id: string; business_id: string; reason: string }

type ActivationTable = {
  tenant_id: string
  id: string
  run_id: string
  replaced_run_id: string | null
  at: string
  actor: string
  reason: string
}

type ActiveTable = { tenant_id: string; run_id: string; generation: number; previous_run_id: string | null }

export type GenerationTable = {
  number: Generated<number>
  tenant_id: string
  run_id: string
  state: 'building' | 'ready' | 'removing' | 'removed'
  rule_set_id: string
  rule_version: number
  algorithm_version: string
  /** JSON */
  bands: string
  sequence: number
  change_number: number
  paused: Generated<0 | 1>
  compared_with: string | null
}

/** `lib/score-codes.ts` explains the codes of the columns. */
export type ScoreTable = {
  tenant: number
  generation: number
  business_id: string
  eligibility: number
  low: number
  high: number
  priority: number
  reachable: number
  completeness: number
  tie: number
  reviewed: 0 | 1
  scored_at: number
  holds_until: number | null
}

type ScoreOrderTable = {
  tenant: number
  generation: number
  reviewed: 0 | 1
  eligibility: number
  rank: number
  tie_rank: number
  business_id: string
  priority: number
  reachable: number
}

type ScoreDueTable = { tenant: number; generation: number; holds_until: number; business_id: string }

type ScoreCountTable = {
  tenant: number
  generation: number
  eligibility: number
  priority: number
  reachable: number
  low: number
  count: number
}

type ScoreChangeTable = { number: Generated<number>; tenant_id: string; business_id: string }

export type ScoreHistoryTable = {
  tenant_id: string
  business_id: string
  id: string
  at: string
  run_id: string
  cause: 'record_changed' | 'time_passed'
  from_eligibility: number
  to_eligibility: number
  from_priority: string | null
  to_priority: string | null
  from_low: number
  to_low: number
}

type ScoreMoveTable = {
  tenant: number
  generation: number
  business_id: string
  from_eligibility: number
  to_eligibility: number
  from_priority: string | null
  to_priority: string | null
  from_low: number
  to_low: number
}
