import { notifications } from '@mantine/notifications'
import type { MutationCache, MutationMeta } from '@tanstack/react-query'
import { isUnanswered, sentenceOf } from './api-problem.ts'

/** Texts for a notification about a failed change whose form or page is already closed. */
type FailureTexts =
  | { notDone: string; keepsText?: boolean }
  /** The text is stored as a draft. */
  | { notSaved: string }
  /** No notification: the failure is shown elsewhere even after the page was left, or the call changes nothing. */
  | { isTold: true }

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: FailureTexts
  }
}

/**
 * Notifies the user of failed changes that no mounted component observes: the dialog or page was closed before the response, so the user may believe
 * that the change was made. The notification stays on every page until it is dismissed.
 */
export function notifyUnseenFailures(cache: MutationCache): void {
  const observerCounts = new WeakMap<object, number>()
  cache.subscribe((event) => {
    if (event.type === 'observerAdded')
      observerCounts.set(event.mutation, (observerCounts.get(event.mutation) ?? 0) + 1)
    if (event.type === 'observerRemoved')
      observerCounts.set(event.mutation, (observerCounts.get(event.mutation) ?? 0) - 1)
    if (event.type === 'updated' && event.action.type === 'error' && (observerCounts.get(event.mutation) ?? 0) <= 0)
      notifyFailure(event.mutation.meta, event.action.error)
  })
}

function notifyFailure(meta: MutationMeta | undefined, error: unknown): void {
  if (meta !== undefined && 'isTold' in meta) return
  const isSaving = meta !== undefined && 'notSaved' in meta
  const what = meta === undefined ? '' : `: ${'notSaved' in meta ? meta.notSaved : meta.notDone}`
  const keepsText = isSaving || (meta !== undefined && 'keepsText' in meta && meta.keepsText === true)
  notifications.show({
    color: 'red',
    title: `${isUnanswered(error) ? 'May not be' : 'Not'} ${isSaving ? 'saved' : 'done'}${what}`,
    message: `${sentenceOf(error)}${keepsText ? ' Your text is still where you typed it.' : ''}`,
    autoClose: false,
  })
}
