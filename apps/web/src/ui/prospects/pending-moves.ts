/** Pipeline moves that the server has not recorded. `rooms/pipeline/delayed` makes, sends and drops them; lists and records show them. */
import type { BusinessSummary, PipelineState } from '@prospect/api-client'
import { useSyncExternalStore } from 'react'

export type PendingMove = {
  businessId: string
  /** For sentences; null after a load, until the record was read. */
  name: string | null
  from: PipelineState
  to: PipelineState
  /** Of the record when the move was made; null: not known. */
  version: number | null
  key: string
  /** The record as a list had it. */
  row: BusinessSummary | null
  /** waiting: Undo removes it. unsaved: it was not recorded. unanswered: it may be recorded. refused: the server decided against it. */
  phase: 'waiting' | 'sending' | 'unsaved' | 'unanswered' | 'refused'
  /** Why it is not recorded. */
  words: string
  /** Sends the move if it waits. Resolves when it was answered or has failed; never rejects. */
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

/** Forgets the moves of another person or workspace. Returns whether an earlier page of this tab left moves of this one. */
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

/** It is shown as done and may still be undone or refused. */
export const isUnderWay = (move: PendingMove | undefined): move is PendingMove & { phase: 'waiting' | 'sending' } =>
  move?.phase === 'waiting' || move?.phase === 'sending'

/** Resolves when no move of this record is under way. For what reads the version of the record. */
export async function settleMove(businessId: string): Promise<void> {
  await moves.find((move) => move.businessId === businessId)?.settle()
}

/** Where moves of this person outlive a load of the page. */
export const storedMovesKey = (userId: string, tenantId: string): string => `prospect-moves:${userId}:${tenantId}`
