import { useEffect, useState } from 'react'

/** Seconds left, counted against the clock so that a sleeping laptop does not wait longer than it must. */
export function useSecondsLeft(seconds: number | undefined): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (seconds === undefined) return setLeft(0)
    const until = Date.now() + seconds * 1000
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
