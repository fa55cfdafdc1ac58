import { type ReactNode, type RefCallback, useCallback } from 'react'
import classes from './sticky.module.css'

/**
 * Returns the ref of a sticky element. It writes the height of the element to a custom property of the page, from which `scroll-padding` is derived,
 * so that the element covers nothing that has the focus.
 */
export function useCoveredHeight(property: `--pp-${string}`): RefCallback<HTMLElement> {
  return useCallback(
    (element) => {
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
    },
    [property],
  )
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
  const footer = useCoveredHeight('--pp-sticky-footer')
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
