import { notifications } from '@mantine/notifications'
import type { MutationCache, MutationMeta } from '@tanstack/react-query'
import { isUnanswered, sentenceOf } from './api-problem.ts'

/** What a change is called for whoever has left the place that would have told them what became of it. */
type Told =
  | { notDone: string; keepsText?: boolean }
  /** It is kept as a draft. */
  | { notSaved: string }
  /** It is told where it is asked for, also to those who left, or it changes nothing. */
  | { isTold: true }

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: Told
  }
}

/**
 * Tells of changes that failed with nobody looking: the dialog was closed, or the page left, before the answer came, and they may be believed
 * done. Stays until it is dismissed, on whatever page.
 */
export function notifyUnseenFailures(cache: MutationCache): void {
  const lookers = new WeakMap<object, number>()
  cache.subscribe((event) => {
    if (event.type === 'observerAdded') lookers.set(event.mutation, (lookers.get(event.mutation) ?? 0) + 1)
    if (event.type === 'observerRemoved') lookers.set(event.mutation, (lookers.get(event.mutation) ?? 0) - 1)
    if (event.type === 'updated' && event.action.type === 'error' && (lookers.get(event.mutation) ?? 0) <= 0)
      tell(event.mutation.meta, event.action.error)
  })
}

function tell(meta: MutationMeta | undefined, error: unknown): void {
  if (meta !== undefined && 'isTold' in meta) return
  const isSaving = meta !== undefined && 'notSaved' in meta
  const what = meta === undefined ? '' : `: ${'notSaved' in meta ? meta.notSaved : meta.notDone}`
  const keepsText = isSaving || (meta !== undefined && 'keepsText' in meta && meta.keepsText === true)
  notifications.show({
    color: 'red',
    title: `${isUnanswered(error) ? 'May not be' : 'Not'} ${isSaving ? 'saved' : 'done'}${what}`,
    message: `${sentenceOf(error)}${keepsText ? ' Your text is kept where you typed it.' : ''}`,
    autoClose: false,
  })
}
