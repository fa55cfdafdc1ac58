import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { isFocusLost } from '../../ui/focus/lost-focus.ts'

/** How long a title stands before it is told, and by when a screen has its own focus. */
const settleMs = 400
/** The title of the page itself: a screen that is still loading has none of its own. */
const bareTitle = 'Prospect Platform'

/**
 * Tells a screen reader where it has arrived: a page that changes without loading says nothing by itself. Where what had the focus went
 * with the page before, as the form of a new prospect does, the keyboard goes on in this one.
 */
export function ScreenAnnouncer() {
  const { pathname, searchStr } = useLocation()
  const address = pathname + searchStr
  const shown = useRef(address)
  const [text, setText] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new path
  useEffect(() => {
    // Empty in between, or a screen with the title of the one before, as the next attempt of a job has, would not be told.
    setText('')
    const stop = () => {
      clearTimeout(timer)
      titles.disconnect()
    }
    const tell = () => {
      if (document.title === bareTitle) return
      setText(document.title)
      // Once: a filter that changes the title afterwards is no other screen.
      stop()
    }
    let timer = setTimeout(tell, settleMs)
    const titles = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(tell, settleMs)
    })
    titles.observe(document.head, { childList: true, characterData: true, subtree: true })
    return stop
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
