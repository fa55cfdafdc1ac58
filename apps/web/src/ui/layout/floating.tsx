import { type Ref, useEffect, useId, useImperativeHandle, useState } from 'react'

/** Props of a floating element: its button and whether it is open. */
export type Floating = { id: string; button: HTMLElement; isOpen: boolean; setOpen: (isOpen: boolean) => void }

/**
 * State of a button that opens a menu or a dialog beside it. The floating element is rendered separately, so that its code loads only when it is
 * first opened. `floating` is null until then.
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

/** Represents the button inside the floating element, which positions itself by it. */
export function ButtonProxy({ button, ref }: Pick<Floating, 'button'> & { ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => button, [button])
  return null
}

/**
 * False during the first render. A floating element that opens only after it is mounted knows its position and the element to return the focus to.
 */
export function useIsDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return isDrawn
}
