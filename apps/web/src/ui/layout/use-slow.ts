import { useEffect, useState } from 'react'

const SLOW_AFTER_MS = 200

/** False at first: what is quick needs no sign that it is loading. */
export function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSlow
}
