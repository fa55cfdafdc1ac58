import { Fragment, type ReactNode, useCallback, useState } from 'react'
import { DialogSlot } from './dialog-slot.tsx'

/** Props of every dialog: `reopen` opens it again when the person undoes Cancel. */
export type DialogProps = { close: () => void; reopen: () => void }

type DialogState<Opened> = {
  isOpen: boolean
  /** Opens the dialog for one thing, in a new form. */
  open: (opened: Opened) => void
  close: () => void
  /** The slot of the dialog, at the end of the screen. */
  slot: (render: (opened: Opened, dialog: DialogProps) => ReactNode) => ReactNode
}

/**
 * A dialog of a screen, with the thing that it is about: `const deciding = useDialog<Site>()`, `deciding.open(site)` and
 * `{deciding.slot((site, dialog) => <DecideDialog site={site} {...dialog} />)}`. `open` and `close` are stable.
 */
export function useDialog<Opened = void>(): DialogState<Opened> {
  const [state, setState] = useState<{ opened: Opened; times: number } | null>(null)
  const open = useCallback((opened: Opened) => setState((before) => ({ opened, times: (before?.times ?? 0) + 1 })), [])
  const close = useCallback(() => setState(null), [])
  return {
    isOpen: state !== null,
    open,
    close,
    slot: (render) => (
      <DialogSlot>
        {state !== null && (
          <Fragment key={state.times}>{render(state.opened, { close, reopen: () => open(state.opened) })}</Fragment>
        )}
      </DialogSlot>
    ),
  }
}
