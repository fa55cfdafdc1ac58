import { useEffect, useState } from 'react'

/** Remaining seconds by the clock, so that a suspended computer does not wait longer. */
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
