import type { ReportSummary } from '@prospect/api-client'
import { IconAlertTriangle, IconBan, IconCircleCheck, IconClock, IconLoader2 } from '@tabler/icons-react'
import { type Status, StatusMark } from '../../ui/text/status-mark.tsx'

const statuses: Record<ReportSummary['status'], Status> = {
  queued: { label: 'Waiting', Icon: IconClock },
  running: { label: 'In progress', Icon: IconLoader2, tone: 'running' },
  succeeded: { label: 'Ready', Icon: IconCircleCheck, tone: 'good' },
  failed: { label: 'Failed', Icon: IconAlertTriangle, tone: 'bad' },
  cancelled: { label: 'Cancelled', Icon: IconBan, tone: 'faint' },
}

export const ReportStatus = ({ status }: Pick<ReportSummary, 'status'>) => <StatusMark {...statuses[status]} />
