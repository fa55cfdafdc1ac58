import { useEffect, useState } from 'react'

/** False for the first 200 ms: what is quick needs no sign that it is loading. */
export function useSlow(afterMs = 200): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs])
  return isSlow
}
