import { IconBan, IconCalendarTime } from '@tabler/icons-react'
import { StatusMark } from '../../ui/text/status-mark.tsx'

export const BlockingMark = () => <StatusMark label="Blocking" Icon={IconBan} tone="bad" />

/** Mark of an entry past its review term. It still blocks. */
export const PastTermMark = () => (
  <StatusMark label="Past its term: due for review, still blocking" Icon={IconCalendarTime} tone="warning" />
)
