import { type ReactNode, useEffect, useRef, useState } from 'react'

/**
 * Wraps an overlay that covers everything, including dialogs. While it is mounted, everything below is `inert`: unreachable by keyboard and screen
 * reader. Afterwards the focus returns to `returnTo`. Needs its own portal.
 */
export function InertBackground({ returnTo, children }: { returnTo: Element | null; children: ReactNode }) {
  const anchor = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const own = anchor.current?.closest('body > *')
    const below = [...document.body.children].filter((other) => other !== own && !other.hasAttribute('inert'))
    for (const other of below) other.setAttribute('inert', '')
    return () => {
      for (const other of below) other.removeAttribute('inert')
      if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus()
    }
  }, [returnTo])
  return <div ref={anchor}>{children}</div>
}

/** Element that had the focus when the component first rendered. */
export function useFocusBefore(): Element | null {
  const [before] = useState(() => document.activeElement)
  return before
}

/** Portal props for a dialog that contains `InertBackground`: a node of its own instead of the one that dialogs share. */
export const ownPortal = { reuseTargetNode: false } as const
