import {
  type Icon,
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
import classes from './acceptance.module.css'

/** The label and icon of each status of a gate, blocker or checklist item; the color only repeats them. */
const statuses: Record<string, { label: string; icon: Icon; tone: 'good' | 'bad' | 'plain' }> = {
  operational: { label: 'Operational', icon: IconCircleCheck, tone: 'good' },
  passed: { label: 'Passed', icon: IconCircleCheck, tone: 'good' },
  contract_only: { label: 'Contract only', icon: IconFileCheck, tone: 'plain' },
  disabled: { label: 'Disabled', icon: IconPlayerPause, tone: 'plain' },
  partial: { label: 'Partial', icon: IconCircleHalf2, tone: 'bad' },
  not_built: { label: 'Not built', icon: IconCircleDashed, tone: 'bad' },
  failed: { label: 'Failed', icon: IconCircleX, tone: 'bad' },
  not_checked: { label: 'Not checked', icon: IconAlertTriangle, tone: 'bad' },
  not_reported: { label: 'Not reported', icon: IconAlertTriangle, tone: 'bad' },
  reported_twice: { label: 'Reported twice', icon: IconAlertTriangle, tone: 'bad' },
  shown: { label: 'Shown', icon: IconCircleCheck, tone: 'good' },
  not_shown: { label: 'Not shown', icon: IconEyeOff, tone: 'plain' },
  not_applicable: { label: 'Not applicable', icon: IconMinus, tone: 'plain' },
}

export function StatusMark({ status }: { status: string }) {
  const { label, icon: StatusIcon, tone } = statuses[status] ?? { label: status, icon: IconAlertTriangle, tone: 'bad' }
  return (
    <span className={classes.status} data-tone={tone}>
      <StatusIcon size={16} stroke={1.75} aria-hidden />
      {label}
    </span>
  )
}
