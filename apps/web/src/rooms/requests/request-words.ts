import type { ListedSubjectRequest, SubjectRequestKind } from '@prospect/api-client'

export const kindWords: Record<SubjectRequestKind, string> = {
  access: 'Access to the data',
  correction: 'Correction',
  objection: 'Objection',
  erasure: 'Erasure',
  source: 'Where the data is from',
}

type Outcome = NonNullable<ListedSubjectRequest['answer']>['outcome']
export const outcomeWords: Record<Outcome, string> = {
  granted: 'Granted',
  granted_in_part: 'Granted in part',
  refused: 'Refused',
  withdrawn: 'Withdrawn by the person',
}

/** What usually carries a request out, as a hint on its page. */
export const hints: Record<SubjectRequestKind, string> = {
  access: 'Collect everything held about the prospect, and hand the file over.',
  correction: 'Correct the prospect, or add the evidence.',
  objection: 'Mark the prospect do not contact, and block its values.',
  erasure:
    'An administrator erases the prospect. The erasure also empties the name and the contact of this request, so note first where you answer.',
  source: 'Collect everything held about the prospect: the first part says where each value is from.',
}
