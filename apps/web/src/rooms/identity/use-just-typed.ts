import { useEffect, useRef } from 'react'

/** Who is still at the keyboard has gone on by then; whoever comes later has to know the password. */
const keptForMs = 5 * 60_000

/**
 * The password of the sign-in that is under way, for the step right after it that would ask for the same one again. In memory alone, for
 * some minutes, and gone with the sign-in.
 */
export function useRememberedPassword(): { keep: (password: string | null) => void; read: () => string | null } {
  const typed = useRef<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const keep = (password: string | null): void => {
    clearTimeout(timer.current)
    typed.current = password
    if (password !== null) timer.current = setTimeout(() => keep(null), keptForMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return { keep, read: () => typed.current }
}
