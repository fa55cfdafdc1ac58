import type { AccessToken } from '@prospect/api-client'
import { IconBan, IconCheck, IconClockOff } from '@tabler/icons-react'
import { type Status, StatusMark } from '../../../ui/text/status-mark.tsx'

const statuses: Record<AccessToken['status'], Status> = {
  active: { label: 'Active', Icon: IconCheck, tone: 'good' },
  expired: { label: 'Expired', Icon: IconClockOff, tone: 'faint' },
  revoked: { label: 'Revoked', Icon: IconBan, tone: 'faint' },
  ended: { label: 'Ended', Icon: IconBan, tone: 'faint' },
}

export function TokenStatus({ token }: { token: AccessToken }) {
  return <StatusMark {...statuses[token.status]} />
}
