import { IconBan } from '@tabler/icons-react'
import classes from '../text/marks.module.css'

/** Stands wherever the name of a blocked business stands: text and icon, not colour alone. */
export function DoNotContactMark() {
  return (
    <span className={classes.blocked}>
      <IconBan size={12} stroke={2.25} aria-hidden />
      Do not contact
    </span>
  )
}
