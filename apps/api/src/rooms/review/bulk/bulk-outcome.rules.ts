import type { ReviewState } from '../../businesses/businesses.ts'
import type { BulkAction, BulkParams, OutcomeCode } from './bulk.table.ts'

/** Maximum number of tags of a prospect (`rooms/businesses/businesses.schema.ts`). */
const MAX_TAGS = 20

/** The state of a record for a bulk. `stamp` is a hash that changes with its facts, tags, assignee, state, evidence and review. */
export type RecordStanding = {
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

/** True for actions that need the permission of the single action as well as that of bulks. */
export function needsWrite(action: BulkAction): boolean {
  return action === 'assign' || action === 'add_tag' || action === 'remove_tag'
}

/** Verify and assign put a record into work, so they refuse a do not contact record. */
export function putsIntoWork(action: BulkAction): boolean {
  return action === 'verify' || action === 'assign'
}

export type Context = {
  /** null if the action assigns nobody or the person may be assigned prospects */
  isAssignable: boolean
  isContradicted: boolean
}

/** Predicts what a bulk action does to a record, from the record's state alone. */
export function decide(
  action: BulkAction,
  params: BulkParams,
  record: RecordStanding | undefined,
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

export function hasTag({ tags }: Pick<RecordStanding, 'tags'>, { tag }: BulkParams): boolean {
  return tag != null && tags.some((one) => sameTag(one, tag))
}

export function sameTag(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The values that a bulk changed in one record. */
export type Done = { before: Record<string, unknown>; after: Record<string, unknown> }

/** Predicts what an undo does. It restores a value only if the record still has the value that the bulk wrote. */
export function decideUndo(
  action: BulkAction,
  params: BulkParams,
  record: RecordStanding | undefined,
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
