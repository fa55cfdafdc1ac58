import { type RefObject, useLayoutEffect } from 'react'

/**
 * Writes the height of a sticky element to a custom property of the page. `scroll-padding` is derived from it, so that the element covers nothing
 * that has the focus. A change of `form` means that the ref has another element.
 */
export function useCoveredHeight(covering: RefObject<HTMLElement | null>, property: `--pp-${string}`, form?: unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another form is another element
  useLayoutEffect(() => {
    const element = covering.current
    if (element === null) return
    const { style } = document.documentElement
    const measure = () => style.setProperty(property, `${element.offsetHeight}px`)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty(property)
    }
  }, [covering, property, form])
}
