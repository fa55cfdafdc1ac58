import { useEffect, useState } from 'react'
import { serverNow } from '../../ui/api/server-clock.ts'

const read = () => serverNow().getTime()

/** Current server time. It updates once a second while `isMoving`. */
export function useNow(isMoving: boolean): number {
  const [now, setNow] = useState(read)
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => setNow(read()), 1_000)
    return () => clearInterval(timer)
  }, [isMoving])
  return isMoving ? now : read()
}
