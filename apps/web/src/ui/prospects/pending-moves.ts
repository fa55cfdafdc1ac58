/** Pipeline moves that the server has not recorded yet. `rooms/pipeline/delayed` creates, sends and removes them; lists and records show them. */
import type { BusinessSummary, PipelineState } from '@prospect/api-client'
import { useSyncExternalStore } from 'react'

export type PendingMove = {
  businessId: string
  /** Name of the record for messages; null after a reload until the record was read. */
  name: string | null
  from: PipelineState
  to: PipelineState
  reason: string | null
  /** Version of the record when the move was made; null if unknown. */
  version: number | null
  key: string
  /** The record as a list showed it; null if no list did. */
  row: BusinessSummary | null
  /**
   * waiting: can be undone. sending: the request is running. unsaved: was not recorded. unanswered: may be recorded. refused: the server refused it.
   */
  phase: 'waiting' | 'sending' | 'unsaved' | 'unanswered' | 'refused'
  /** Reason why the move is not recorded. */
  words: string
  /** Sends the move if it is still waiting. Resolves when the server answered or the request failed; never rejects. */
  settle: () => Promise<void>
}

let moves: readonly PendingMove[] = []
const listeners = new Set<() => void>()

export const pendingMoves = (): readonly PendingMove[] => moves

export function setPendingMoves(next: readonly PendingMove[]): void {
  moves = next
  for (const listener of listeners) listener()
}

let owner = ''

/** Removes the moves of another person or tenant. Returns true if an earlier page of this tab stored moves of this person and tenant. */
export function ownMoves(storedKey: string): boolean {
  if (owner !== '' && owner !== storedKey) setPendingMoves([])
  owner = storedKey
  try {
    return sessionStorage.getItem(storedKey) !== null
  } catch {
    return false
  }
}

function subscribeToMoves(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePendingMoves = (): readonly PendingMove[] => useSyncExternalStore(subscribeToMoves, pendingMoves)

export const usePendingMove = (businessId: string): PendingMove | undefined =>
  usePendingMoves().find((move) => move.businessId === businessId)

/** Returns true if the move is shown as done although it can still be undone or refused. */
export const isUnderWay = (move: PendingMove | undefined): move is PendingMove & { phase: 'waiting' | 'sending' } =>
  move?.phase === 'waiting' || move?.phase === 'sending'

/** Resolves when no move of this record is pending. Used before a request that sends the version of the record. */
export async function settleMove(businessId: string): Promise<void> {
  await moves.find((move) => move.businessId === businessId)?.settle()
}

/** Returns the storage key under which the moves of this person are kept across a reload. */
export const storedMovesKey = (userId: string, tenantId: string): string => `prospect-moves:${userId}:${tenantId}`
