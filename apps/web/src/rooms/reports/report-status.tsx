import type { ReportSummary } from '@prospect/api-client'
import { IconAlertTriangle, IconBan, IconCircleCheck, IconClock, IconLoader2 } from '@tabler/icons-react'
import classes from './reports.module.css'

const words: Record<ReportSummary['status'], string> = {
  queued: 'Waiting',
  running: 'In progress',
  succeeded: 'Ready',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

const icons = {
  queued: IconClock,
  running: IconLoader2,
  succeeded: IconCircleCheck,
  failed: IconAlertTriangle,
  cancelled: IconBan,
}

/** Status of a report with its icon. */
export function ReportStatus({ status }: Pick<ReportSummary, 'status'>) {
  const Icon = icons[status]
  return (
    <span className={classes.status} data-status={status}>
      <Icon size={15} stroke={1.7} aria-hidden />
      {words[status]}
    </span>
  )
}
