import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { isFocusLost } from '../../ui/lost-focus.ts'

/** A screen has its title and its own focus by then. */
const settleMs = 400

/**
 * Tells a screen reader where it has arrived: a page that changes without loading says nothing by itself. Where what had the focus went
 * with the page before, as the form of a new prospect does, the keyboard goes on in this one.
 */
export function ScreenAnnouncer() {
  const { pathname, searchStr } = useLocation()
  const address = pathname + searchStr
  const shown = useRef(address)
  const [text, setText] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is a new screen, whose title follows
  useEffect(() => {
    const timer = setTimeout(() => setText(document.title), settleMs)
    return () => clearTimeout(timer)
  }, [pathname])
  useEffect(() => {
    // The first page begins where every page does, with the way past the sidebar.
    if (shown.current === address) return
    shown.current = address
    const timer = setTimeout(() => {
      if (isFocusLost()) document.getElementById('main')?.focus({ preventScroll: true })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [address])
  return (
    <p role="status" className="pp-visually-hidden">
      {text}
    </p>
  )
}
