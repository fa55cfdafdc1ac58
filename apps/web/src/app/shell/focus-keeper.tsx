import { useEffect } from 'react'
import { ancestorsOf, focusNearest, isFocusLost } from '../../ui/focus/lost-focus.ts'

/** Delay that gives components time to move the focus themselves, such as a card in its new column. */
const settleMs = 150

const layers = '[role="dialog"], [role="menu"]'

/** The last focused element, with its ancestors, of the page and of each open layer. */
type Visit = { layer: Element | null; path: Element[] }

/**
 * Restores focus that is lost when its element is removed: to the element focused before a dialog or menu opened, or to the nearest section that is
 * still on the page. Covers cases that Mantine cannot: a dialog opened from a menu item or the palette, and a button that removes itself.
 */
export function FocusKeeper() {
  useEffect(() => {
    let visits: Visit[] = []
    let timer: ReturnType<typeof setTimeout> | null = null
    const isRemoved = () => visits[0]?.path[0]?.isConnected === false
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return
      const layer = target.closest(layers)
      const below = layer === null ? [] : visits.filter((visit) => visit.layer !== layer)
      visits = [{ layer, path: ancestorsOf(target) }, ...below]
    }
    const onFocusOut = ({ target, relatedTarget }: FocusEvent): void => {
      if (relatedTarget !== null) return
      // A click on the empty page blurs on purpose; the element still exists then.
      queueMicrotask(() => {
        if (target instanceof Element && target.isConnected && document.activeElement === document.body) visits = []
      })
    }
    const restoreFocus = (): void => {
      timer = null
      if (isFocusLost() && isRemoved()) visits.some(({ path }) => focusNearest(path))
    }
    const observer = new MutationObserver(() => {
      if (timer === null && isRemoved() && isFocusLost()) timer = setTimeout(restoreFocus, settleMs)
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
