import { type ReactNode, useEffect, useRef, useState } from 'react'

/**
 * Around what stands over everything, other dialogs too: while it is there, nothing beneath can be reached by keyboard
 * or screen reader. Afterwards the focus is back where it was. Needs a portal of its own.
 */
export function InertBackground({ returnTo, children }: { returnTo: Element | null; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const own = place.current?.closest('body > *')
    const beneath = [...document.body.children].filter((other) => other !== own && !other.hasAttribute('inert'))
    for (const other of beneath) other.setAttribute('inert', '')
    return () => {
      for (const other of beneath) other.removeAttribute('inert')
      if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus()
    }
  }, [returnTo])
  return <div ref={place}>{children}</div>
}

/** What had the focus when the component first came. */
export function useFocusBefore(): Element | null {
  const [before] = useState(() => document.activeElement)
  return before
}

/** For a dialog with `InertBackground` in it: beside the portal that other dialogs share. */
export const ownPortal = { reuseTargetNode: false } as const
