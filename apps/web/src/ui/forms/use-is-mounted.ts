import { useCallback, useEffect, useRef } from 'react'

/** Returns whether the component is still mounted. A late response must not navigate away from the page that the user opened meanwhile. */
export function useIsMounted(): () => boolean {
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return useCallback(() => isHere.current, [])
}
