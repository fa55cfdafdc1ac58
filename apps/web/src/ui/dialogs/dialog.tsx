import { Modal, type ModalProps } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { ancestorsOf, focusNearestSection } from '../focus/lost-focus.ts'

/**
 * What asks or shows something over the page. When it goes, the focus is back where it was opened, however it goes. An Escape that is
 * meant for a dialog above it (`InertBackground`) does not close it.
 */
export function Dialog({ children, onClose, ...props }: ModalProps) {
  const { opened } = props
  const root = useRef<HTMLDivElement>(null)
  const [wasOpened, setWasOpened] = useState(false)
  const [menuButton, setMenuButton] = useState<Element | null>(null)
  if (opened !== wasOpened) {
    setWasOpened(opened)
    // Looked for while it is drawn: where nothing moves, the item that opens it is gone with its menu before it is there.
    setMenuButton(menuButtonOf(document.activeElement))
  }
  return (
    <Modal
      ref={root}
      closeButtonProps={{ 'aria-label': 'Close' }}
      onClose={() => !root.current?.closest('[inert]') && onClose()}
      {...props}
    >
      <FocusReturn opener={menuButton} />
      {children}
    </Modal>
  )
}

/**
 * Within a dialog. Mantine gives the focus back when a dialog closes, but not when it is taken away while it is open, as all are that are
 * there only as long as they are needed. Without an `opener` it goes back to what had it before.
 */
export function FocusReturn({ opener: given = null }: { opener?: Element | null }) {
  const place = useRef<HTMLSpanElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it was opened does not change while it is there
  useLayoutEffect(() => {
    const opener = given ?? menuButtonOf(document.activeElement) ?? document.activeElement
    const way = ancestorsOf(opener)
    const dialog = place.current?.closest('[role="dialog"]')
    return () => {
      const active = document.activeElement
      if (active !== null && active !== document.body && dialog?.contains(active) !== true) return
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
      // What was done here took it away, as a lifted block takes the button that lifts it.
      else focusNearestSection(way)
    }
  }, [])
  return <span ref={place} hidden />
}

/** An item of a menu goes with its menu: what opened that stays. */
function menuButtonOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : null
}
