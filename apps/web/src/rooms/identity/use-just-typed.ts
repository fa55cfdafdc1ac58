import { useEffect, useRef } from 'react'

/** Lifetime of the remembered password: long enough to continue a sign-in, short enough that a later user of the computer cannot use it. */
const rememberedForMs = 5 * 60_000

/**
 * Remembers the password of the current sign-in for the next step, which would otherwise ask for it again. It is kept in memory only, for a few
 * minutes, and is forgotten when the sign-in ends.
 */
export function useRememberedPassword(): { keep: (password: string | null) => void; read: () => string | null } {
  const typed = useRef<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const keep = (password: string | null): void => {
    clearTimeout(timer.current)
    typed.current = password
    if (password !== null) timer.current = setTimeout(() => keep(null), rememberedForMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return { keep, read: () => typed.current }
}
