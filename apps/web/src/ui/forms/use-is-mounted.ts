import { useCallback, useEffect, useRef } from 'react'

/** Whether what asked is still on screen: an answer that comes late takes nobody away from where they have gone since. */
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
