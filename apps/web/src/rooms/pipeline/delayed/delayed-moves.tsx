/**
 * Moves that are shown before they are recorded. A move without a reason is sent with a delay, so that it can be undone. (A recorded move cannot be
 * undone.) It is sent when its notification closes, which is after six seconds or earlier by the person, when the page is left or hidden, and before
 * another change of the same record. A move with a reason is sent at once. A failed move is sent again only if the person requests it.
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
import { alreadyMovedWords, isQuickReason, movedWords, UNANSWERED } from '../move-words.ts'
import { moveInLists, rowInLists } from '../moved-lists.ts'
import { MoveToast, MoveUnsaved, unsavedTitle } from './move-toast.tsx'
import { storedMoves, storeMoves } from './stored-moves.ts'

/** Time during which a move can be undone. */
const UNDO_MOVE_MS = 6_000

/** Maximum number of waiting moves. A further move sends the oldest one, because only three notifications fit on the screen. */
const MAX_WAITING = 3

export type WantedMove = {
  businessId: string
  name: string
  from: PipelineState
  to: PipelineState
  version: number
}

const timers = new Map<string, ReturnType<typeof setTimeout>>()
/** Running requests, by id of the record. */
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
 * Shows a move as pending and sends it after six seconds unless it is undone. An earlier move of the same record is sent first. If that move fails,
 * the new one is not made, and the notification of the earlier move shows why. `reason` is stored in the history; `quickReasons` are the reasons of
 * moves before which the person was not asked.
 */
export async function delayMove(queryClient: QueryClient, wanted: WantedMove, reason: string): Promise<void> {
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
  put(waitingMove(queryClient, { ...wanted, reason, key: newKey() }))
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

const waitingMove = (
  queryClient: QueryClient,
  wanted: WantedMove & Pick<PendingMove, 'reason' | 'key'>,
): PendingMove => ({
  ...wanted,
  row: rowInLists(queryClient, wanted.businessId),
  phase: 'waiting',
  words: '',
  settle: () => send(queryClient, wanted.businessId),
})

/**
 * Sends a move without a delay, after the earlier move of the same record. Rejects if the move fails. If the form was closed before the failure, the
 * move is also added to the failed moves, so that the person can send it again.
 */
export async function moveNow(
  queryClient: QueryClient,
  wanted: WantedMove & Pick<PendingMove, 'reason' | 'key'>,
  isFormShown: () => boolean,
): Promise<void> {
  listen(queryClient)
  const { businessId } = wanted
  await moveOf(businessId)?.settle()
  const failedBefore = moveOf(businessId)
  const move = waitingMove(queryClient, wanted)
  let failure: { error: unknown } | undefined
  await transmit(queryClient, move, false, (error) => {
    failure = { error }
    if (!isFormShown()) return fail(queryClient, move, error)
    if (failedBefore === undefined) remove(businessId)
    else put(failedBefore)
    void refreshRecord(queryClient, businessId)
  })
  if (failure !== undefined) throw failure.error
}

/** Removes a move that was not sent. */
function undoMove(businessId: string): void {
  const move = moveOf(businessId)
  if (move?.phase !== 'waiting') return
  stopTimer(businessId)
  remove(businessId)
  hideToasts(businessId)
}

/** Removes a failed move that the person has dismissed. */
export function dropMove(businessId: string): void {
  if (isUnderWay(moveOf(businessId))) return
  remove(businessId)
  hideToasts(businessId)
}

/** Sends a failed move again with the same idempotency key, so that it is not made twice if it was recorded after all. */
export function sendAgain(queryClient: QueryClient, businessId: string): void {
  const move = moveOf(businessId)
  if (move === undefined || isUnderWay(move)) return
  put({ ...move, phase: 'waiting', words: '' })
  hideToasts(businessId)
  void send(queryClient, businessId)
}

/** Restores the moves of an earlier page of this tab without sending any. Returns those on which the server has not decided. */
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

/** Shows a notification that offers to send a move of an earlier page again. */
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
  return transmit(queryClient, move, isLeaving, (error) => fail(queryClient, move, error))
}

function transmit(
  queryClient: QueryClient,
  move: PendingMove,
  isLeaving: boolean,
  failed: (error: unknown) => void,
): Promise<void> {
  const { businessId } = move
  put({ ...move, phase: 'sending' })
  const call = request(move, isLeaving)
    .then((result) => succeed(queryClient, move, result), failed)
    .finally(() => calls.delete(businessId))
  calls.set(businessId, call)
  return call
}

const request = ({ businessId, to, reason, key }: PendingMove, isLeaving: boolean): Promise<MoveResult> =>
  dataOf(
    movePipeline({
      path: { businessId },
      body: reason === null ? { to } : { to, reason },
      ...withKey(key),
      ...(isLeaving ? leavingPage : earlierChange),
    }),
  )

async function succeed(queryClient: QueryClient, move: PendingMove, result: MoveResult): Promise<void> {
  const { businessId, to, reason } = move
  const { business, transition } = result
  // Cancel running reads, because they would return the state before the move.
  await queryClient.cancelQueries({ queryKey: prospectListsKey })
  moveInLists(queryClient, move)
  queryClient.setQueryData(recordKey(businessId), business)
  remove(businessId)
  hideToasts(businessId)
  const wasThere = transition === null && reason !== null && !isQuickReason(reason)
  notifications.show({ message: wasThere ? alreadyMovedWords(business.name, to) : movedWords(business.name, to) })
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

/** Returns true if the server did not decide on the move, so that the same request may succeed later. */
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

/** Paths of changes that can affect any record or end the session. All pending moves are sent before such a change. */
const reachesAny = /\/api\/v1\/(session|jobs|bulk-actions|match-suggestions|merges)\b/

let isListening = false

/** Registers the listeners once for the lifetime of the page. */
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
