import type { ListedSubjectRequest } from '@prospect/api-client'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { formatDay } from '../../ui/text/format.ts'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { outcomeWords } from './request-words.ts'

/** Due day of an open request, or the outcome of an answered one. */
export function DueMark({ request: { status, dueOn, answer } }: { request: ListedSubjectRequest }) {
  if (answer !== null) return <StatusMark label={outcomeWords[answer.outcome]} Icon={IconCheck} tone="good" />
  return status === 'overdue' ? (
    <StatusMark label={`Overdue since ${formatDay(dueOn)}`} Icon={IconAlertTriangle} tone="bad" />
  ) : (
    <StatusMark label={`Due ${formatDay(dueOn)}`} />
  )
}
