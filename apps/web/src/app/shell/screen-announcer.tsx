import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { isFocusLost } from '../../ui/focus/lost-focus.ts'

/** Delay before a title is announced and the focus is checked: by then a new screen has set both. */
const settleMs = 400
/** Title of a screen that is still loading. */
const bareTitle = 'Prospect Platform'

/**
 * Announces the title of each new screen to screen readers, because client-side navigation is silent. If the focused element disappeared with the
 * previous screen, the focus moves to the main part of the page.
 */
export function ScreenAnnouncer() {
  const { pathname, searchStr } = useLocation()
  const address = pathname + searchStr
  const shown = useRef(address)
  const [text, setText] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new path
  useEffect(() => {
    // Clear first: a screen with the same title as the previous one, such as another attempt of a job, would not be announced.
    setText('')
    const stop = () => {
      clearTimeout(timer)
      titles.disconnect()
    }
    const announce = () => {
      if (document.title === bareTitle) return
      setText(document.title)
      // Announce once: a filter that changes the title later is not a new screen.
      stop()
    }
    let timer = setTimeout(announce, settleMs)
    const titles = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(announce, settleMs)
    })
    titles.observe(document.head, { childList: true, characterData: true, subtree: true })
    return stop
  }, [pathname])
  useEffect(() => {
    // On the first page the focus stays at the start of the document, before the skip link.
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
