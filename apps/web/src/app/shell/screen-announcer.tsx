import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Tells a screen reader where it has arrived: a page that changes without loading says nothing by itself. */
export function ScreenAnnouncer() {
  const { pathname } = useLocation()
  const [text, setText] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is a new screen, whose title follows
  useEffect(() => {
    const timer = setTimeout(() => setText(document.title), 400)
    return () => clearTimeout(timer)
  }, [pathname])
  return (
    <p role="status" className="pp-visually-hidden">
      {text}
    </p>
  )
}
