import type { ListedSubjectRequest, SubjectRequestKind } from '@prospect/api-client'
import { nameText } from '../../ui/text/name-text.ts'

export const kindWords: Record<SubjectRequestKind, string> = {
  access: 'Access to their data',
  correction: 'Correction of their data',
  objection: 'Objection to contact',
  erasure: 'Erasure of their data',
  source: 'Where their data is from',
}

type Outcome = NonNullable<ListedSubjectRequest['answer']>['outcome']
export const outcomeWords: Record<Outcome, string> = {
  granted: 'Granted',
  granted_in_part: 'Granted in part',
  refused: 'Refused',
  withdrawn: 'Withdrawn by the person',
}

export const valueKindWords = { email: 'Email address', phone: 'Phone number', domain: 'Domain' } as const

/** Person who asks. An erasure, or the end of the period, deletes the name. */
export const requesterText = ({ requester, emptiedAt }: Pick<ListedSubjectRequest, 'requester' | 'emptiedAt'>) =>
  emptiedAt === null ? nameText(requester.name) : 'Name deleted'
