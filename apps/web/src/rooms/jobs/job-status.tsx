import type { JobSummary } from '@prospect/api-client'
import {
  IconAlertCircle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconLoader2,
  IconPlayerStop,
} from '@tabler/icons-react'
import { type Status, StatusMark } from '../../ui/text/status-mark.tsx'
import { shortfallWords, statusName } from './job-words.ts'

const looks: Record<JobSummary['status'], Omit<Status, 'label'>> = {
  queued: { Icon: IconCircleDashed },
  running: { Icon: IconLoader2, tone: 'running' },
  succeeded: { Icon: IconCircleCheck, tone: 'good' },
  failed: { Icon: IconCircleX, tone: 'bad' },
  cancelled: { Icon: IconPlayerStop, tone: 'faint' },
}

/** Job status with an icon, readable without colour; for a request without a complete answer, what is lacking. */
export function JobStatus({ job }: { job: Pick<JobSummary, 'status' | 'cancelRequested' | 'shortfall'> }) {
  const { status, shortfall } = job
  if (shortfall !== null) return <StatusMark label={shortfallWords(shortfall)} Icon={IconAlertCircle} tone="warning" />
  const isStopping = status === 'running' && job.cancelRequested !== null
  return <StatusMark label={isStopping ? 'Stopping' : statusName(status)} {...looks[status]} />
}
