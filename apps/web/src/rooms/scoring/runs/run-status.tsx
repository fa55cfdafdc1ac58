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
import { type Status, StatusMark } from '../../../ui/text/status-mark.tsx'
import { runStatusWords } from './run-words.ts'

const looks: Record<ScoringRun['status'], Omit<Status, 'label'>> = {
  queued: { Icon: IconClock },
  running: { Icon: IconLoader2, tone: 'running' },
  complete: { Icon: IconCircleCheck },
  partial: { Icon: IconAlertTriangle },
  stopped: { Icon: IconCircleX },
  cancelled: { Icon: IconBan },
}

/** Status of a run, and whether its scores are active. */
export function RunStatusMark({ run: { status, isActive } }: { run: Pick<ScoringRun, 'status' | 'isActive'> }) {
  const label = runStatusWords[status]
  return isActive ? (
    <StatusMark label={`Active, ${label.toLowerCase()}`} Icon={IconStar} tone="good" />
  ) : (
    <StatusMark label={label} {...looks[status]} />
  )
}
