import { IconCalendarTime } from '@tabler/icons-react'
import classes from './suppression.module.css'

/** On an entry that is past the term which the tenant set: it blocks all the same. */
export function PastTermMark() {
  return (
    <span className={classes.pastTerm}>
      <IconCalendarTime size={13} stroke={2} aria-hidden /> Past its term: due for review, still blocking
    </span>
  )
}
