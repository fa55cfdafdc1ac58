import type { ReviewState } from '../../review-decisions/review-decisions.ts'
import type { BulkAction, BulkParams, OutcomeCode } from './bulk.table.ts'

/** Maximum number of tags of a prospect (`rooms/businesses/businesses.schema.ts`). */
const MAX_TAGS = 20

/**
 * The state of a record that a bulk action depends on. `stamp` is a hash that changes with the record's facts, tags, assignee, pipeline state,
 * evidence and review.
 */
export type RecordState = {
  id: string
  status: 'active' | 'merged' | 'inactive'
  isBlocked: boolean
  version: number
  assigneeId: string | null
  tags: readonly string[]
  hasEvidence: boolean
  state: ReviewState
  reviewId: string | null
  reasonCode: string | null
  stamp: string
}

export type Decided =
  | { outcome: 'changed'; code: null }
  | { outcome: 'unchanged'; code: null }
  | { outcome: 'refused'; code: OutcomeCode }

const changed: Decided = { outcome: 'changed', code: null }
const unchanged: Decided = { outcome: 'unchanged', code: null }
const refused = (code: OutcomeCode): Decided => ({ outcome: 'refused', code })

/** Returns true for actions that need the permission for writing prospects in addition to that for bulk actions. */
export function needsWrite(action: BulkAction): boolean {
  return action === 'assign' || action === 'add_tag' || action === 'remove_tag'
}

/** Returns true for actions after which people work on the record. They are refused for a do not contact record. */
export function putsIntoWork(action: BulkAction): boolean {
  return action === 'verify' || action === 'assign'
}

export type Context = {
  /** true if the person may be assigned prospects, or if the action assigns nobody */
  isAssignable: boolean
  isContradicted: boolean
}

/** Returns the outcome of a bulk action for a record. It depends only on the state of the record. */
export function decide(
  action: BulkAction,
  params: BulkParams,
  record: RecordState | undefined,
  { isAssignable, isContradicted }: Context,
): Decided {
  if (record === undefined) return refused('not_found')
  if (record.status !== 'active') return refused('business_not_active')
  if (putsIntoWork(action) && record.isBlocked) return refused('suppressed')
  switch (action) {
    case 'verify':
      if (isContradicted) return refused('fact_contradicted')
      return record.state === 'verified' ? unchanged : changed
    case 'reject':
      return record.state === 'rejected' && record.reasonCode === params.reasonCode ? unchanged : changed
    case 'assign':
      if (!isAssignable) return refused('assignee_not_a_member')
      return record.assigneeId === (params.assigneeId ?? null) ? unchanged : changed
    case 'add_tag':
      if (hasTag(record, params)) return unchanged
      return record.tags.length >= MAX_TAGS ? refused('too_many_tags') : changed
    case 'remove_tag':
      return hasTag(record, params) ? changed : unchanged
  }
}

export function hasTag({ tags }: Pick<RecordState, 'tags'>, { tag }: BulkParams): boolean {
  return tag != null && tags.some((one) => sameTag(one, tag))
}

export function sameTag(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Values that a bulk action changed in one record, before and after. */
export type Done = { before: Record<string, unknown>; after: Record<string, unknown> }

/** Returns the outcome of an undo for a record. A value is restored only if the record still has the value that the bulk action wrote. */
export function decideUndo(
  action: BulkAction,
  params: BulkParams,
  record: RecordState | undefined,
  done: Done | undefined,
  { isAssignable }: Pick<Context, 'isAssignable'>,
): Decided {
  if (record === undefined) return refused('not_found')
  if (record.status !== 'active') return refused('business_not_active')
  if (done === undefined) return refused('changed_since')
  switch (action) {
    case 'verify':
    case 'reject':
      return record.reviewId === done.after.reviewId && record.state === done.after.state
        ? changed
        : refused('changed_since')
    case 'assign':
      if (record.assigneeId !== done.after.assigneeId) return refused('changed_since')
      if (done.before.assigneeId !== null && record.isBlocked) return refused('suppressed')
      return isAssignable ? changed : refused('assignee_not_a_member')
    case 'add_tag':
    case 'remove_tag':
      return hasTag(record, params) === done.after.hasTag && params.tag != null ? changed : refused('changed_since')
  }
}
