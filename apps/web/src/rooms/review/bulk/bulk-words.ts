import type { BulkOutcome, BulkPreview, BulkReview } from '@prospect/api-client'
import { reasonCodeWords } from '../../../ui/prospects/review-words.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { nameText } from '../../../ui/text/name-text.ts'

export type BulkAction = BulkReview['action']
type Named = Pick<BulkPreview, 'action' | 'assigneeId' | 'tag' | 'reasonCode' | 'undoes'>

export const actionWords: Readonly<Record<BulkAction, string>> = {
  verify: 'Verify',
  reject: 'Reject',
  assign: 'Assign',
  add_tag: 'Add a tag',
  remove_tag: 'Remove a tag',
}

/** Verify and Reject need a reason. Assignments and tags do not. */
export const needsReason = (action: BulkAction): boolean => action === 'verify' || action === 'reject'

/** Formats as 'Reject as duplicate' or 'Undo: Add the tag “solar”'. */
export function bulkTitle({ action, assigneeId, tag, reasonCode, undoes }: Named, people: ReadonlyMap<string, string>) {
  const words = titleOf(action, { assigneeId, tag, reasonCode }, people)
  return undoes === null ? words : `Undo: ${words}`
}

function titleOf(
  action: BulkAction,
  { assigneeId, tag, reasonCode }: Pick<Named, 'assigneeId' | 'tag' | 'reasonCode'>,
  people: ReadonlyMap<string, string>,
): string {
  if (action === 'verify') return 'Verify'
  if (action === 'reject') return `Reject: ${reasonCode === null ? '' : reasonCodeWords[reasonCode].toLowerCase()}`
  if (action === 'assign')
    return assigneeId === null ? 'Unassign' : `Assign to ${nameText(people.get(assigneeId) ?? 'a person')}`
  const named = `the tag “${nameText(tag ?? '')}”`
  return action === 'add_tag' ? `Add ${named}` : `Remove ${named}`
}

export const codeWords: Readonly<Record<NonNullable<BulkOutcome['code']>, string>> = {
  changed_since_preview: 'Changed since the preview',
  changed_since: 'Changed since the bulk action',
  suppressed: 'Do not contact',
  business_not_active: 'Merged or inactive',
  fact_contradicted: 'Evidence contradicts a fact',
  permission_denied: 'Permission lost',
  assignee_not_a_member: 'The assignee is not a member of this workspace',
  too_many_tags: 'The prospect already has the maximum number of tags',
  not_found: 'Not found',
}

export const outcomeWords: Readonly<Record<BulkOutcome['outcome'], string>> = {
  changed: 'Changed',
  unchanged: 'No change needed',
  refused: 'Refused',
  not_done: 'Not done',
}

export const statusWords: Readonly<Record<BulkReview['status'], string>> = {
  queued: 'Queued',
  running: 'Running',
  done: 'Done',
  cancelled: 'Cancelled',
  failed: 'Failed',
}

export const prospectCount = (count: number): string => countWords(count, 'prospect', 'prospects')

export const isUnderWay = ({ status }: Pick<BulkReview, 'status'>): boolean =>
  status === 'queued' || status === 'running'
