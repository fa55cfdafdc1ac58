import { useEffect, useState } from 'react'
import { serverNow } from '../../ui/api/server-clock.ts'

const read = () => serverNow().getTime()

/** The server's time, moving once a second while somebody needs it to. */
export function useNow(isMoving: boolean): number {
  const [now, setNow] = useState(read)
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => setNow(read()), 1_000)
    return () => clearInterval(timer)
  }, [isMoving])
  return isMoving ? now : read()
}
