import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconCircleX,
  IconEyeOff,
  IconFileCheck,
  IconMinus,
  IconPlayerPause,
} from '@tabler/icons-react'
import { type Status, StatusMark } from '../../ui/text/status-mark.tsx'

/** The label and icon of each status of a gate, blocker or checklist item; the color only repeats them. */
const statuses: Record<string, Status> = {
  operational: { label: 'Operational', Icon: IconCircleCheck, tone: 'good' },
  passed: { label: 'Passed', Icon: IconCircleCheck, tone: 'good' },
  contract_only: { label: 'Contract only', Icon: IconFileCheck },
  disabled: { label: 'Disabled', Icon: IconPlayerPause },
  partial: { label: 'Partial', Icon: IconCircleHalf2, tone: 'bad' },
  not_built: { label: 'Not built', Icon: IconCircleDashed, tone: 'bad' },
  failed: { label: 'Failed', Icon: IconCircleX, tone: 'bad' },
  not_checked: { label: 'Not checked', Icon: IconAlertTriangle, tone: 'bad' },
  not_reported: { label: 'Not reported', Icon: IconAlertTriangle, tone: 'bad' },
  reported_twice: { label: 'Reported twice', Icon: IconAlertTriangle, tone: 'bad' },
  shown: { label: 'Shown', Icon: IconCircleCheck, tone: 'good' },
  not_shown: { label: 'Not shown', Icon: IconEyeOff },
  not_applicable: { label: 'Not applicable', Icon: IconMinus },
}

export function AcceptanceStatus({ status }: { status: string }) {
  return <StatusMark {...(statuses[status] ?? { label: status, Icon: IconAlertTriangle, tone: 'bad' })} />
}
