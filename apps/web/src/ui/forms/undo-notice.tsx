import { notifications } from '@mantine/notifications'
import { forgetUndo, noteUndo } from './undo.ts'

/** Duration of the notice: long enough to reach its button by keyboard. */
const UNDO_MS = 20_000

/** Shows a notice about a completed action with an Undo button. Ctrl+Z also undoes it, even later. Replaces an earlier notice with the same `id`. */
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
