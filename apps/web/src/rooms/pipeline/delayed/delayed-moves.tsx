/**
 * Moves that wait for a moment before they are sent, so that they can be undone: a recorded move cannot. A move is sent when its toast closes
 * (after six seconds, or by hand), when the page is left or hidden, and before another change of the same record. Nothing that failed is sent
 * again without a person who asks for it.
 */
import { notifications } from '@mantine/notifications'
import { type MoveResult, movePipeline, type PipelineState } from '@prospect/api-client'
import type { QueryClient } from '@tanstack/react-query'
import { isProblem, isUnanswered, sentenceOf } from '../../../ui/api/api-problem.ts'
import { setEarlierChanges } from '../../../ui/api/before-change.ts'
import { withKey } from '../../../ui/api/client.ts'
import { noteFailure } from '../../../ui/api/connection.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { earlierChange, leavingPage } from '../../../ui/api/gated-fetch.ts'
import { newKey } from '../../../ui/api/idempotency.ts'
import { forgetUndo, noteUndo } from '../../../ui/forms/undo.ts'
import { prospectListsKey } from '../../../ui/prospects/list-keys.ts'
import { isUnderWay, type PendingMove, pendingMoves, setPendingMoves } from '../../../ui/prospects/pending-moves.ts'
import { recordKey, refreshRecord } from '../../../ui/prospects/record-keys.ts'
import { moveInLists, rowInLists } from '../move.ts'
import { movedWords, UNANSWERED } from '../move-words.ts'
import { MoveToast, MoveUnsaved, unsavedTitle } from './move-toast.tsx'
import { storedMoves, storeMoves } from './stored-moves.ts'

/** How long a move can be undone. */
const UNDO_MOVE_MS = 6_000

/** Toasts on screen: the oldest move is sent before its toast would have to wait for room. */
const MAX_WAITING = 3

export type WantedMove = {
  businessId: string
  name: string
  from: PipelineState
  to: PipelineState
  version: number
}

const timers = new Map<string, ReturnType<typeof setTimeout>>()
/** Calls under way, by record. */
const calls = new Map<string, Promise<void>>()

const moveOf = (businessId: string) => pendingMoves().find((move) => move.businessId === businessId)
const toastOf = (businessId: string) => `move-${businessId}`
const failureOf = (businessId: string) => `move-failed-${businessId}`

function hideToasts(businessId: string): void {
  notifications.hide(toastOf(businessId))
  notifications.hide(failureOf(businessId))
}

function put(move: PendingMove): void {
  setPendingMoves([...pendingMoves().filter(({ businessId }) => businessId !== move.businessId), move])
  storeMoves()
}

function remove(businessId: string): void {
  setPendingMoves(pendingMoves().filter((move) => move.businessId !== businessId))
  storeMoves()
}

/**
 * Shows a move as under way and sends it after six seconds unless it is undone. An earlier move of the same record is sent first; when that one
 * fails, this one is not made, and the earlier one says why.
 */
export async function delayMove(queryClient: QueryClient, wanted: WantedMove): Promise<void> {
  listen(queryClient)
  const { businessId } = wanted
  const earlier = moveOf(businessId)
  if (isUnderWay(earlier)) {
    await earlier.settle()
    if (moveOf(businessId) !== undefined) return
  }
  const waiting = pendingMoves().filter(({ phase }) => phase === 'waiting')
  if (waiting.length >= MAX_WAITING) void waiting[0]?.settle()
  hideToasts(businessId)
  const row = rowInLists(queryClient, businessId)
  put({
    ...wanted,
    key: newKey(),
    row,
    phase: 'waiting',
    words: '',
    settle: () => send(queryClient, businessId),
  })
  timers.set(
    businessId,
    setTimeout(() => void send(queryClient, businessId), UNDO_MOVE_MS),
  )
  const undo = () => undoMove(businessId)
  noteUndo(toastOf(businessId), undo)
  notifications.show({
    id: toastOf(businessId),
    autoClose: false,
    message: <MoveToast businessId={businessId} undo={undo} />,
    onClose: () => void send(queryClient, businessId),
  })
}

/** Removes a move that was not sent. */
function undoMove(businessId: string): void {
  const move = moveOf(businessId)
  if (move?.phase !== 'waiting') return
  stopTimer(businessId)
  remove(businessId)
  hideToasts(businessId)
}

/** Removes a move that failed: a person has seen why. */
export function dropMove(businessId: string): void {
  if (isUnderWay(moveOf(businessId))) return
  remove(businessId)
  hideToasts(businessId)
}

/** Sends a move that failed again, under its key: one that was recorded meanwhile is not made twice. */
export function sendAgain(queryClient: QueryClient, businessId: string): void {
  const move = moveOf(businessId)
  if (move === undefined || isUnderWay(move)) return
  put({ ...move, phase: 'waiting', words: '' })
  hideToasts(businessId)
  void send(queryClient, businessId)
}

/** Takes over the moves of an earlier page of this tab, none of which is sent by itself. Returns those that are not decided. */
export function adoptLeftMoves(queryClient: QueryClient): PendingMove[] {
  listen(queryClient)
  const known = new Set(pendingMoves().map(({ businessId }) => businessId))
  const left = storedMoves().flatMap((stored): PendingMove[] => {
    const { businessId, phase } = stored
    if (known.has(businessId)) return []
    const settle = () => send(queryClient, businessId)
    const isUnsent = phase === 'waiting' || phase === 'unsaved'
    const now = phase === 'refused' ? phase : isUnsent ? 'unsaved' : 'unanswered'
    return [{ ...stored, name: null, row: null, phase: now, settle }]
  })
  setPendingMoves([...pendingMoves(), ...left])
  return left.filter(({ phase }) => phase !== 'refused')
}

/** Offers to send a move of an earlier page again. */
export function offerLeftMove(queryClient: QueryClient, left: PendingMove, name: string | null, words: string): void {
  if (moveOf(left.businessId) !== left) return
  const offered = { ...left, name, words }
  put(offered)
  notifyUnsaved(queryClient, offered)
}

function send(queryClient: QueryClient, businessId: string, isLeaving = false): Promise<void> {
  const move = moveOf(businessId)
  if (move?.phase !== 'waiting') return calls.get(businessId) ?? Promise.resolve()
  stopTimer(businessId)
  forgetUndo(toastOf(businessId))
  put({ ...move, phase: 'sending' })
  const call = request(move, isLeaving)
    .then(
      (result) => succeed(queryClient, move, result),
      (error: unknown) => fail(queryClient, move, error),
    )
    .finally(() => calls.delete(businessId))
  calls.set(businessId, call)
  return call
}

const request = ({ businessId, to, key }: PendingMove, isLeaving: boolean): Promise<MoveResult> =>
  dataOf(
    movePipeline({
      path: { businessId },
      body: { to },
      ...withKey(key),
      ...(isLeaving ? leavingPage : earlierChange),
    }),
  )

async function succeed(queryClient: QueryClient, move: PendingMove, { business }: MoveResult): Promise<void> {
  const { businessId, to } = move
  // What is on its way was read before the move.
  await queryClient.cancelQueries({ queryKey: prospectListsKey })
  moveInLists(queryClient, { businessId, to }, move.row)
  queryClient.setQueryData(recordKey(businessId), business)
  remove(businessId)
  hideToasts(businessId)
  notifications.show({ message: movedWords(business.name, to) })
  void refreshRecord(queryClient, businessId)
}

function fail(queryClient: QueryClient, move: PendingMove, error: unknown): void {
  noteFailure(error)
  const failed: PendingMove = isUnanswered(error)
    ? { ...move, phase: 'unanswered', words: UNANSWERED }
    : { ...move, phase: isLater(error) ? 'unsaved' : 'refused', words: sentenceOf(error) }
  put(failed)
  notifyUnsaved(queryClient, failed)
  void refreshRecord(queryClient, move.businessId)
}

/** Nothing was decided about the move: the same request may work later. */
const isLater = (error: unknown): boolean =>
  !isProblem(error) || error.isTransient || error.status === 401 || error.status >= 500

function notifyUnsaved(queryClient: QueryClient, move: PendingMove): void {
  const { businessId } = move
  hideToasts(businessId)
  notifications.show({
    id: failureOf(businessId),
    color: 'red',
    title: unsavedTitle(move),
    autoClose: false,
    message: (
      <MoveUnsaved move={move} sendAgain={() => sendAgain(queryClient, businessId)} drop={() => dropMove(businessId)} />
    ),
  })
}

function stopTimer(businessId: string): void {
  clearTimeout(timers.get(businessId))
  timers.delete(businessId)
}

/** Changes that may reach any record, or end the session. */
const reachesAny = /\/api\/v1\/(session|jobs|bulk-actions|match-suggestions|merges)\b/

let isListening = false

/** Once for the life of the page. */
function listen(queryClient: QueryClient): void {
  if (isListening) return
  isListening = true
  const sendAll = () => {
    for (const { businessId } of pendingMoves()) void send(queryClient, businessId, true)
  }
  window.addEventListener('pagehide', sendAll)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') sendAll()
  })
  setEarlierChanges((path) => {
    const earlier = pendingMoves().filter(
      (move) => isUnderWay(move) && (path.includes(move.businessId) || reachesAny.test(path)),
    )
    return earlier.length === 0 ? undefined : Promise.all(earlier.map((move) => move.settle()))
  })
}
