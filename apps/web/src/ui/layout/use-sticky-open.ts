import { useEffect, useState } from 'react'

/** Keeps a form open that was allowed when it opened. If a colleague's change forbids it meanwhile, the typed text must not disappear. */
export function useStickyOpen(isOpen: boolean, isAllowed: boolean): boolean {
  const [isHeld, setHeld] = useState(false)
  const isShown = isOpen && (isAllowed || isHeld)
  useEffect(() => setHeld(isShown), [isShown])
  return isShown
}
