import type { ScoringRun } from '@prospect/api-client'
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconLoader2,
  IconStar,
} from '@tabler/icons-react'
import classes from '../scoring.module.css'
import { runStatusWords } from './run-words.ts'

const icons = {
  queued: IconClock,
  running: IconLoader2,
  complete: IconCircleCheck,
  partial: IconAlertTriangle,
  stopped: IconCircleX,
  cancelled: IconBan,
}

/** Status of a run with its icon, and whether its scores are active. */
export function RunStatusMark({ run }: { run: Pick<ScoringRun, 'status' | 'isActive'> }) {
  const { status, isActive } = run
  const Icon = isActive ? IconStar : icons[status]
  return (
    <span className={classes.status} data-status={isActive ? 'approved' : status}>
      <Icon size={15} stroke={1.8} aria-hidden />
      {isActive ? `Active, ${runStatusWords[status].toLowerCase()}` : runStatusWords[status]}
    </span>
  )
}
