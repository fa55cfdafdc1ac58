import { type ReactNode, useRef } from 'react'
import { useCoveredHeight } from '../layout/use-covered-height.ts'
import classes from './sticky-footer.module.css'

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
