import { type Ref, useEffect, useId, useImperativeHandle, useState } from 'react'

/** What floats beside a button: which button, and whether it is open. */
export type Floating = { id: string; button: HTMLElement; isOpen: boolean; setOpen: (isOpen: boolean) => void }

/**
 * A button that opens a menu or a dialog beside it, which is drawn apart from the button: what floats, and the code that keeps it in its
 * place, need not be there before it is asked for. `floating` is null until then.
 */
export function useOpener(popup: 'menu' | 'dialog') {
  const id = useId()
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [isOpen, setOpen] = useState<boolean | null>(null)
  const button = {
    ref: setElement,
    id,
    'aria-haspopup': popup,
    'aria-expanded': isOpen === true,
    'aria-controls': isOpen === true ? `${id}-dropdown` : undefined,
    onClick: () => setOpen(isOpen !== true),
  }
  const floating: Floating | null =
    element === null || isOpen === null ? null : { id, button: element, isOpen, setOpen }
  return { button, floating }
}

/** Stands for the button within what floats. */
export function ButtonProxy({ button, ref }: Pick<Floating, 'button'> & { ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => button, [button])
  return null
}

/** False at first: what opens only after it is drawn knows where it stands, and where the focus goes back to. */
export function useIsDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return isDrawn
}
