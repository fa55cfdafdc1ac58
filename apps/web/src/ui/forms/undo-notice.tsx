import { notifications } from '@mantine/notifications'

/** Long enough to reach the button with the keyboard. */
const UNDO_MS = 20_000

/** Shows what was done, with a button that undoes it. Replaces an earlier notice with the same `id`. */
export function showUndo(id: string, done: string, undo: () => void): void {
  notifications.hide(id)
  notifications.show({
    id,
    autoClose: UNDO_MS,
    message: (
      <>
        {done}{' '}
        <button
          type="button"
          className="pp-link"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          Undo
        </button>
      </>
    ),
  })
}
