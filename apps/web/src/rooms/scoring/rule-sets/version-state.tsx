import { IconArchive, IconCircleCheck, IconCircleX, IconClock, IconPencil } from '@tabler/icons-react'
import classes from '../scoring.module.css'
import { stateWords, type VersionState } from './version-words.ts'

const icons = {
  draft: IconPencil,
  submitted: IconClock,
  approved: IconCircleCheck,
  rejected: IconCircleX,
  retired: IconArchive,
}

/** State of a version with its icon. */
export function VersionStateMark({ state }: { state: VersionState }) {
  const Icon = icons[state]
  return (
    <span className={classes.status} data-status={state}>
      <Icon size={15} stroke={1.8} aria-hidden />
      {stateWords[state]}
    </span>
  )
}
