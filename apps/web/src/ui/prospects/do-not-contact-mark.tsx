import { IconBan } from '@tabler/icons-react'
import classes from '../text/marks.module.css'

/** Mark beside every name of a blocked business: text and icon, not only colour. */
export function DoNotContactMark() {
  return (
    <span className={classes.blocked}>
      <IconBan size={12} stroke={2.25} aria-hidden />
      Do not contact
    </span>
  )
}
