import type { Export } from '@prospect/api-client'
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconClock,
  IconHourglassEmpty,
  IconLoader2,
} from '@tabler/icons-react'
import { type Status, StatusMark } from '../../ui/text/status-mark.tsx'

const statuses: Record<Export['status'], Status> = {
  queued: { label: 'Waiting', Icon: IconClock },
  running: { label: 'In progress', Icon: IconLoader2, tone: 'running' },
  ready: { label: 'Ready', Icon: IconCircleCheck, tone: 'good' },
  failed: { label: 'Failed', Icon: IconAlertTriangle, tone: 'bad' },
  cancelled: { label: 'Cancelled', Icon: IconBan, tone: 'faint' },
  expired: { label: 'Expired', Icon: IconHourglassEmpty },
  removed: { label: 'Deleted', Icon: IconHourglassEmpty },
}

export const ExportStatus = ({ status }: Pick<Export, 'status'>) => <StatusMark {...statuses[status]} />
