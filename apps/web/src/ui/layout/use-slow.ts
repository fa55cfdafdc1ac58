import { useEffect, useState } from 'react'

const SLOW_AFTER_MS = 200

/** False for the first 200 ms: fast responses need no loading indicator. */
export function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSlow
}
