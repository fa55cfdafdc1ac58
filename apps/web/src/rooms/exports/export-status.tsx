import type { Export } from '@prospect/api-client'
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconClock,
  IconHourglassEmpty,
  IconLoader2,
} from '@tabler/icons-react'
import { statusName } from './export-words.ts'
import classes from './exports.module.css'

const icons = {
  queued: IconClock,
  running: IconLoader2,
  ready: IconCircleCheck,
  failed: IconAlertTriangle,
  cancelled: IconBan,
  expired: IconHourglassEmpty,
  removed: IconHourglassEmpty,
}

/** Status of an export with its icon. */
export function ExportStatus({ status }: Pick<Export, 'status'>) {
  const Icon = icons[status]
  return (
    <span className={classes.status} data-status={status}>
      <Icon size={15} stroke={1.7} aria-hidden />
      {statusName(status)}
    </span>
  )
}
