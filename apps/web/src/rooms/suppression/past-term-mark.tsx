import { IconCalendarTime } from '@tabler/icons-react'
import classes from './suppression.module.css'

/** Mark of an entry past its review term. It still blocks. */
export function PastTermMark() {
  return (
    <span className={classes.pastTerm}>
      <IconCalendarTime size={13} stroke={2} aria-hidden /> Past its term: due for review, still blocking
    </span>
  )
}
