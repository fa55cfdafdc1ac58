import { useEffect } from 'react'
import { ancestorsOf, focusNearest, isFocusLost } from '../../ui/focus/lost-focus.ts'

/** By then a component that knows where the focus belongs, a card in its new column or a row, has taken it. */
const settleMs = 150

const layers = '[role="dialog"], [role="menu"]'

/** The last focused element of the page, then of each layer over it, with its ancestors. */
type Visit = { layer: Element | null; way: Element[] }

/**
 * Focus that is lost with a removed element moves on: to the element that had it before a dialog or menu opened, or to the nearest section
 * that is still on the page. Covers what Mantine cannot return to: a dialog opened from the item of a menu or of the palette, and a button
 * that is removed by its own action.
 */
export function FocusKeeper() {
  useEffect(() => {
    let visits: Visit[] = []
    let timer: ReturnType<typeof setTimeout> | null = null
    const isRemoved = () => visits[0]?.way[0]?.isConnected === false
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return
      const layer = target.closest(layers)
      const beneath = layer === null ? [] : visits.filter((visit) => visit.layer !== layer)
      visits = [{ layer, way: ancestorsOf(target) }, ...beneath]
    }
    const onFocusOut = ({ target, relatedTarget }: FocusEvent): void => {
      if (relatedTarget !== null) return
      // A click on the bare page blurs on purpose: the element is still there.
      queueMicrotask(() => {
        if (target instanceof Element && target.isConnected && document.activeElement === document.body) visits = []
      })
    }
    const catchFocus = (): void => {
      timer = null
      if (isFocusLost() && isRemoved()) visits.some(({ way }) => focusNearest(way))
    }
    const observer = new MutationObserver(() => {
      if (timer === null && isRemoved() && isFocusLost()) timer = setTimeout(catchFocus, settleMs)
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
