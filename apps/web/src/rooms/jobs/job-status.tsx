import type { JobSummary } from '@prospect/api-client'
import {
  IconAlertCircle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconLoader2,
  IconPlayerStop,
} from '@tabler/icons-react'
import { shortfallWords, statusName } from './job-words.ts'
import classes from './jobs.module.css'

const icons = {
  queued: IconCircleDashed,
  running: IconLoader2,
  succeeded: IconCircleCheck,
  failed: IconCircleX,
  cancelled: IconPlayerStop,
}

/** Job status with an icon, readable without colour; for a request without a complete answer, what is lacking. */
export function JobStatus({ job }: { job: Pick<JobSummary, 'status' | 'cancelRequested' | 'shortfall'> }) {
  const { status, shortfall } = job
  const Icon = shortfall === null ? icons[status] : IconAlertCircle
  const isStopping = status === 'running' && job.cancelRequested !== null
  return (
    <span className={classes.status} data-status={shortfall === null ? status : 'shortfall'}>
      <Icon size={16} stroke={1.8} aria-hidden />
      {shortfall !== null ? shortfallWords(shortfall) : isStopping ? 'Stopping' : statusName(status)}
    </span>
  )
}
