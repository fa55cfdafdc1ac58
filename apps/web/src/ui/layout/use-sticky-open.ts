import { useEffect, useState } from 'react'

/** What was allowed when it was opened stays open, whatever a colleague does meanwhile: what is being typed would be gone with it. */
export function useStickyOpen(isOpen: boolean, isAllowed: boolean): boolean {
  const [isHeld, setHeld] = useState(false)
  const isShown = isOpen && (isAllowed || isHeld)
  useEffect(() => setHeld(isShown), [isShown])
  return isShown
}
