import { useEffect, useState } from 'react'

/** Remaining seconds by the clock, so that a suspended computer does not wait longer. */
export function useSecondsLeft(seconds: number | undefined): number {
  const [secondsLeft, setSecondsLeft] = useState(0)
  useEffect(() => {
    if (seconds === undefined) return setSecondsLeft(0)
    const until = Date.now() + seconds * 1000
    const tick = () => setSecondsLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return secondsLeft
}
