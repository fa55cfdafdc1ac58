import type { JobSummary } from '@prospect/api-client'
import { IconCircleCheck, IconCircleDashed, IconCircleX, IconLoader2, IconPlayerStop } from '@tabler/icons-react'
import { statusName } from './job-words.ts'
import classes from './jobs.module.css'

const icons = {
  queued: IconCircleDashed,
  running: IconLoader2,
  succeeded: IconCircleCheck,
  failed: IconCircleX,
  cancelled: IconPlayerStop,
}

/** Job status with an icon, readable without colour. */
export function JobStatus({ job }: { job: Pick<JobSummary, 'status' | 'cancelRequested'> }) {
  const Icon = icons[job.status]
  const isStopping = job.status === 'running' && job.cancelRequested !== null
  return (
    <span className={classes.status} data-status={job.status}>
      <Icon size={16} stroke={1.8} aria-hidden />
      {isStopping ? 'Stopping' : statusName(job.status)}
    </span>
  )
}
