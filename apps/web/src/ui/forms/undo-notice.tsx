import { notifications } from '@mantine/notifications'
import { forgetUndo, noteUndo } from './undo.ts'

/** Long enough to reach the button with the keyboard. */
const UNDO_MS = 20_000

/** Shows what was done, with a button that undoes it; Ctrl-Z does too, also later. Replaces an earlier notice with the same `id`. */
export function showUndo(id: string, done: string, undo: () => void): void {
  notifications.hide(id)
  const undoAndHide = () => {
    forgetUndo(id)
    notifications.hide(id)
    undo()
  }
  noteUndo(id, undoAndHide)
  notifications.show({
    id,
    autoClose: UNDO_MS,
    message: (
      <>
        {done}{' '}
        <button type="button" className="pp-link" onClick={undoAndHide}>
          Undo
        </button>
      </>
    ),
  })
}
