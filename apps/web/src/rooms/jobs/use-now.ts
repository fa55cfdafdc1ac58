import { useEffect, useState } from 'react'

/** The time, moving once a second while somebody needs it to. */
export function useNow(isMoving: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isMoving])
  return isMoving ? now : Date.now()
}
