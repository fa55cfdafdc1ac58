import { IconBan, IconCalendarTime } from '@tabler/icons-react'
import { StatusMark } from '../../ui/text/status-mark.tsx'

export const BlockingMark = () => <StatusMark label="Blocking" Icon={IconBan} tone="bad" />

/** Mark of an entry past its review term. It still blocks. */
export const PastTermMark = () => (
  <StatusMark label="Due for review. Still blocking" Icon={IconCalendarTime} tone="warning" />
)
