import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import classes from './sticky.module.css'

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

type Props = {
  /** Buttons of the form or page. */
  children: ReactNode
  /** Result of the buttons in one or two sentences. Screen readers announce its changes. */
  summary: ReactNode
  /** `<NotSaved>` of the form, which passes `failure={null}` to `<SaveForm>`. */
  failure?: ReactNode
}

/** Buttons of a long page with the summary of their result. They stay in view while the page scrolls, and cover nothing that has the focus. */
export function StickyFooter({ children, summary, failure }: Props) {
  const footer = useRef<HTMLDivElement>(null)
  useCoveredHeight(footer, '--pp-sticky-footer')
  return (
    <div ref={footer} className={classes.footer}>
      {failure}
      {children}
      {/* The element stays mounted: screen readers announce changes only in an existing live region. */}
      <div role="status" className={classes.summary}>
        {summary}
      </div>
    </div>
  )
}
