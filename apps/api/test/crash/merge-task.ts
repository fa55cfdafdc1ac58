import type { MergeBody } from '../../src/rooms/matching/merging/merges.schema.ts'
import type { ChangeOptions } from '../../src/store/change/change.ts'

/** The task of the process to be killed. */
export type MergeTask = {
  dataDir: string
  tenantId: string
  userId: string
  /** how far ahead the clock of the process is */
  aheadMs?: number
} & (
  | { do: 'merge'; suggestionId: string; body: MergeBody; idempotency: NonNullable<ChangeOptions['idempotency']> }
  | { do: 'reverse'; mergeId: string; reason: string; idempotency: NonNullable<ChangeOptions['idempotency']> }
  | { do: 'work'; kind: 'match-run' | 'export' }
)
