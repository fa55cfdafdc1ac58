import type { MergeBody } from '../../src/rooms/matching/merging/merges.schema.ts'
import type { ChangeOptions } from '../../src/store/change/change.ts'

/** The task of the process to kill. */
export type MergeTask = {
  dataDir: string
  tenantId: string
  userId: string
  /** milliseconds by which the process's clock is ahead */
  aheadMs?: number
} & (
  | { do: 'merge'; suggestionId: string; body: MergeBody; idempotency: NonNullable<ChangeOptions['idempotency']> }
  | { do: 'reverse'; mergeId: string; reason: string; idempotency: NonNullable<ChangeOptions['idempotency']> }
  | { do: 'work'; kind: 'match-run' | 'export' }
)
