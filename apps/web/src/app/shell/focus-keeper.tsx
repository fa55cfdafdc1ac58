import { useEffect } from 'react'
import { ancestorsOf, focusNearestSection, isFocusLost } from '../../ui/focus/lost-focus.ts'

/** Whatever knows better where the focus belongs, a card in its new column or a row, has taken it by then. */
const settleMs = 150

/**
 * A button that goes with what it did, as the one that lifts a block does, would leave the focus on nothing: the keyboard then goes on in
 * the part of the page where it stood.
 */
export function FocusKeeper() {
  useEffect(() => {
    let way: Element[] = []
    let timer: ReturnType<typeof setTimeout> | null = null
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (target instanceof Element) way = ancestorsOf(target)
    }
    const onFocusOut = ({ target }: FocusEvent): void => {
      // Left for the bare page, by a click beside everything: that is where the person wants to be. One that is taken away is not there.
      queueMicrotask(() => {
        if (target instanceof Element && target.isConnected && document.activeElement === document.body) way = []
      })
    }
    const catchFocus = (): void => {
      timer = null
      if (isFocusLost() && way[0]?.isConnected === false) focusNearestSection(way)
    }
    const observer = new MutationObserver(() => {
      if (timer === null && way[0]?.isConnected === false && isFocusLost()) timer = setTimeout(catchFocus, settleMs)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', onFocusIn)
    document.addEventListener('focusout', onFocusOut)
    return () => {
      if (timer !== null) clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('focusout', onFocusOut)
    }
  }, [])
  return null
}
