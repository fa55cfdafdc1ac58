import { notifications } from '@mantine/notifications'
import { forgetUndo } from './undo.ts'
import { showUndo } from './undo-notice.tsx'

/** Keys of the discarded drafts for which an Undo notice is on screen. */
const offered = new Set<string>()

const noticeOf = (key: string) => `discarded ${key}`

/** Shows a notice "Discarded." with an Undo button, which runs `restore`. */
export function offerUndoDiscard(key: string, restore: () => void): void {
  offered.add(key)
  showUndo(noticeOf(key), 'Discarded.', () => {
    offered.delete(key)
    restore()
    notifications.show({ message: 'Your text is back where you typed it.' })
  })
}

/** Removes the Undo notice of a draft once newer text replaces it, because restoring would overwrite that text. */
export function withdrawUndoDiscard(key: string): void {
  if (!offered.delete(key)) return
  forgetUndo(noticeOf(key))
  notifications.hide(noticeOf(key))
}
