/** Moves that the server has not recorded, in the session storage of this tab. After a reload `left-moves.tsx` offers to send them again. */
import type { PipelineState } from '@prospect/api-client'
import { sessionGate } from '../../../ui/api/session-gate.ts'
import { type PendingMove, pendingMoves, storedMovesKey } from '../../../ui/prospects/pending-moves.ts'
import { pipelineOrder } from '../../../ui/prospects/pipeline-words.ts'

export type StoredMove = Pick<
  PendingMove,
  'businessId' | 'from' | 'to' | 'reason' | 'version' | 'key' | 'phase' | 'words'
>

const keyNow = (): string | null => {
  const { mark } = sessionGate
  return mark === null ? null : storedMovesKey(mark.userId, mark.tenantId)
}

/** Stores the pending moves of this page. If the storage is full or forbidden, they are only lost at a reload. */
export function storeMoves(): void {
  const key = keyNow()
  if (key === null) return
  const stored = pendingMoves().map(
    ({ businessId, from, to, reason, version, key, phase, words }): StoredMove => ({
      businessId,
      from,
      to,
      reason,
      version,
      key,
      phase,
      words,
    }),
  )
  try {
    if (stored.length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(stored))
  } catch {
    // A full or forbidden storage is not an error, as described above.
  }
}

/** Returns the moves that an earlier page of this tab stored. Entries that cannot be parsed are from another version and are skipped. */
export function storedMoves(): StoredMove[] {
  const key = keyNow()
  if (key === null) return []
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap((one: unknown) => parseMove(one) ?? []) : []
  } catch {
    return []
  }
}

const stateFrom = (value: unknown): PipelineState | undefined => pipelineOrder.find((state) => state === value)
const phases = ['waiting', 'sending', 'unsaved', 'unanswered', 'refused'] as const

function parseMove(value: unknown): StoredMove | null {
  if (typeof value !== 'object' || value === null) return null
  const { businessId, from, to, reason, version, key, phase, words }: Record<string, unknown> = { ...value }
  const [start, end] = [stateFrom(from), stateFrom(to)]
  const known = phases.find((one) => one === phase)
  if (typeof businessId !== 'string' || typeof key !== 'string' || !start || !end || !known) return null
  return {
    businessId,
    from: start,
    to: end,
    reason: typeof reason === 'string' ? reason : null,
    version: typeof version === 'number' ? version : null,
    key,
    phase: known,
    words: typeof words === 'string' ? words : '',
  }
}
