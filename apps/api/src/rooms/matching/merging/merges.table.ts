// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { ContactText } from '../../contact-gate/contact-gate.ts'

declare module '../../../store/database.ts' {
  interface Database {
    merge_snapshots: MergeSnapshotTable
    merges: MergeTable
    merge_attempts: MergeAttemptTable
  }
}

/** Content of a snapshot or merge after an erasure of one of its records removed the values. */
export const EMPTIED = '{}'

export type MergeSnapshotTable = {
  tenant_id: string
  id: string
  suggestion_id: string
  survivor_id: string
  loser_id: string
  created_at: string
  created_by: string
  /** JSON: `MergeSnapshot`, or `EMPTIED` */
  content: ContactText
  content_hash: string
}

export const mergeStatuses = ['merged', 'reversed'] as const

export type MergeTable = {
  tenant_id: string
  id: string
  suggestion_id: string
  snapshot_id: string
  survivor_id: string
  loser_id: string
  status: (typeof mergeStatuses)[number]
  merged_at: string
  merged_by: string
  reason: string
  /** JSON: `Choice[]` */
  choices: string
  /** JSON: `RecordState` of the survivor, or `EMPTIED` */
  after: ContactText
  /** JSON: ids of suggestions that ended with the loser */
  ended_suggestions: string
  /** JSON: `ReadBack` */
  read_back: string
  reversed_at: string | null
  reversed_by: string | null
  reversal_reason: string | null
  /** JSON: `ReversalOutcome` */
  reversal: string | null
}

export const attemptStatuses = ['begun', 'done', 'refused', 'stopped'] as const
export const attemptStages = ['snapshot', 'change', 'done'] as const

export type MergeAttemptTable = {
  tenant_id: string
  id: string
  kind: 'merge' | 'reversal'
  suggestion_id: string
  merge_id: string | null
  snapshot_id: string | null
  survivor_id: string
  loser_id: string
  begun_at: string
  begun_by: string
  status: (typeof attemptStatuses)[number]
  /** the last stage that the attempt reached */
  stage: (typeof attemptStages)[number]
  failure: string | null
  ended_at: string | null
}
