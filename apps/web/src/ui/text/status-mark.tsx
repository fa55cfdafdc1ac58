import type { IconProps } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import classes from './status.module.css'

/** A status as a word with an icon. The colour of `tone` repeats the meaning of both. */
export type Status = {
  label: string
  Icon?: ComponentType<IconProps>
  /** `running` turns the icon. */
  tone?: 'running' | 'good' | 'warning' | 'bad' | 'faint'
}

/** Status of a job, a version, a draft and so on, readable without colour. */
export function StatusMark({ label, Icon, tone }: Status) {
  return (
    <span className={classes.status} data-tone={tone}>
      {Icon !== undefined && <Icon size={15} stroke={1.8} aria-hidden />}
      {label}
    </span>
  )
}
