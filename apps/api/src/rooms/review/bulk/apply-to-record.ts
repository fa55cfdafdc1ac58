import { isUnchanged, type Tx } from '../../../store/change/change.ts'
import { readTexts } from '../../../store/json-column.ts'
import { type Business, editBusiness, getBusiness } from '../../businesses/businesses.ts'
import { gate } from '../../contact-gate/contact-gate.ts'
import { contradictedFields } from '../../evidence/evidence.ts'
import { isMember } from '../../identity/identity.ts'
import {
  findState,
  fingerprintOf,
  getReviewRow,
  type ReviewStateTable,
  type WrittenReview,
  writeReview,
} from '../../review-decisions/review-decisions.ts'
import type { BulkRow, SelectedRecord } from './bulk.queries.ts'
import type { BulkOutcomeTable, BulkParams } from './bulk.table.ts'
import {
  type Decided,
  type Done,
  decide,
  decideUndo,
  hasTag,
  needsWrite,
  putsIntoWork,
  type RecordState,
  sameTag,
} from './bulk-outcome.rules.ts'
import { doneOf } from './done.ts'
import { readRecordStates } from './record-states.ts'

export type RunningBulk = Pick<BulkRow, 'id' | 'action' | 'undoes'> & { params: BulkParams }
type Outcome = Pick<BulkOutcomeTable, 'outcome' | 'code' | 'before' | 'after' | 'audit_event_id'>

/**
 * Applies a bulk action to one record after repeating every check of the preview: permission, tenant, status, merge state, suppression,
 * contradictions, and that the record has not changed. A record that fails a check is not written. Errors: those of the suppression gate, which stop
 * the bulk action.
 */
export async function applyToRecord(tx: Tx, bulk: RunningBulk, [id, stamp]: SelectedRecord): Promise<Outcome> {
  const { tenantId, permissions } = tx.actor
  const record = (await readRecordStates(tx.db, tenantId, [id])).get(id)
  if (needsWrite(bulk.action) && !permissions.has('businesses.write')) return refusal('permission_denied')
  const done = bulk.undoes === null ? undefined : await doneOf(tx.db, tenantId, bulk.undoes, id)
  const decided = await decideNow(tx, bulk, record, done)
  if (bulk.undoes === null && record?.status === 'active' && record.stamp !== stamp)
    return refusal('changed_since_preview')
  if (decided.outcome === 'refused') return refusal(decided.code)
  if (decided.outcome === 'unchanged' || record === undefined) return nothingDone
  const business = await getBusiness(tx.db, tenantId, id)
  if (putsIntoWork(bulk.action) && bulk.undoes === null && (await isSuppressed(tx, business)))
    return refusal('suppressed')
  return bulk.action === 'verify' || bulk.action === 'reject'
    ? reviewRecord(tx, bulk, business, done)
    : editRecord(tx, bulk, business, record, done)
}

const nothingDone: Outcome = { outcome: 'unchanged', code: null, before: null, after: null, audit_event_id: null }

function refusal(code: NonNullable<Outcome['code']>): Outcome {
  return { outcome: 'refused', code, before: null, after: null, audit_event_id: null }
}

async function decideNow(
  tx: Tx,
  { action, params, undoes }: RunningBulk,
  record: RecordState | undefined,
  done: Done | undefined,
): Promise<Decided> {
  const { tenantId } = tx.actor
  const assigneeId = undoes === null ? params.assigneeId : done?.before.assigneeId
  const isAssignable = typeof assigneeId !== 'string' || (await isMember(tx.db, tenantId, assigneeId))
  if (undoes !== null) return decideUndo(action, params, record, done, { isAssignable })
  const isAsked = action === 'verify' && record?.hasEvidence === true
  const isContradicted =
    isAsked && (await contradictedFields(tx.db, tenantId, await getBusiness(tx.db, tenantId, record.id))).length > 0
  return decide(action, params, record, { isAssignable, isContradicted })
}

/**
 * Returns true if the gate finds a suppression for a value of the record. The mark of the record is not sufficient, because a matching entry may not
 * have marked the record yet.
 */
async function isSuppressed(tx: Tx, { emails, phones, domains }: Business): Promise<boolean> {
  const values = [
    ...emails.map(({ value }) => ({ kind: 'email' as const, value })),
    ...phones.map(({ value, region = null }) => ({ kind: 'phone' as const, value, region })),
    ...domains.map(({ value }) => ({ kind: 'domain' as const, value })),
  ]
  return values.length > 0 && (await gate(tx, tx.actor.tenantId, values)).length > 0
}

async function reviewRecord(tx: Tx, bulk: RunningBulk, business: Business, done: Done | undefined): Promise<Outcome> {
  const seen = await fingerprintOf(tx.db, tx.actor.tenantId, business)
  const common = { reason: null, bulkId: bulk.id, seen }
  if (bulk.undoes === null) {
    const written = await writeReview(tx, business, {
      ...common,
      decision: bulk.action === 'verify' ? 'verify' : 'reject',
      reasonCode: bulk.action === 'verify' ? null : (bulk.params.reasonCode ?? 'other'),
      checkedFields: [],
      until: null,
      undoes: null,
    })
    return changedReview(written)
  }
  const current = await findState(tx.db, { tenantId: tx.actor.tenantId, businessId: business.id })
  // The facts have changed since the review, but the follower has not marked the review as outdated yet.
  if (current === undefined || current.facts_hash !== seen.factsHash || done === undefined)
    return refusal('changed_since')
  return changedReview(await undoReview(tx, business, { ...common, undoes: current.review_id }, done))
}

type Common = { reason: null; bulkId: string; seen: { text: string; factsHash: string }; undoes: string }

/** Undoes a review: appends the decision that was current before the bulk action, or reopens the record if it had none. */
async function undoReview(tx: Tx, business: Business, common: Common, { before }: Done) {
  if (typeof before.reviewId !== 'string')
    return writeReview(tx, business, {
      ...common,
      decision: 'reopen',
      reasonCode: null,
      checkedFields: [],
      until: null,
    })
  const earlier = await getReviewRow(tx.db, tx.actor.tenantId, before.reviewId)
  return writeReview(tx, business, {
    ...common,
    decision: earlier.decision,
    reasonCode: earlier.reason_code,
    checkedFields: readTexts(earlier.checked_fields),
    until: earlier.until,
    newState: {
      state: before.state as ReviewStateTable['state'],
      is_due: before.isDue === true ? 1 : 0,
      due_from: typeof before.dueFrom === 'string' ? before.dueFrom : null,
      facts_hash: String(before.factsHash),
      decided_at: String(before.decidedAt),
    },
  })
}

function changedReview({ before, after, eventId }: WrittenReview): Outcome {
  return {
    outcome: 'changed',
    code: null,
    before: JSON.stringify(stateValues(before)),
    after: JSON.stringify(stateValues(after)),
    audit_event_id: eventId,
  }
}

function stateValues(state: ReviewStateTable | undefined): Record<string, unknown> {
  if (state === undefined) return { state: 'unreviewed', reviewId: null }
  return {
    state: state.state,
    reviewId: state.review_id,
    isDue: state.is_due === 1,
    dueFrom: state.due_from,
    factsHash: state.facts_hash,
    decidedAt: state.decided_at,
  }
}

async function editRecord(
  tx: Tx,
  bulk: RunningBulk,
  business: Business,
  record: RecordState,
  done: Done | undefined,
): Promise<Outcome> {
  const recorded: string[] = []
  const asBulk: Tx = {
    ...tx,
    record: async (event) => {
      const id = await tx.record({
        ...event,
        action: 'business.edit',
        after: { ...event.after, bulkId: bulk.id, ...(bulk.undoes === null ? {} : { undoes: bulk.undoes }) },
      })
      recorded.push(id)
      return id
    },
  }
  const edited = bulk.action === 'assign' ? assignment(bulk, record, done) : tagging(bulk, record, done)
  const result = await editBusiness(asBulk, business.id, business.version, edited.edit)
  if (isUnchanged(result)) return nothingDone
  return {
    outcome: 'changed',
    code: null,
    before: JSON.stringify(edited.before),
    after: JSON.stringify(edited.after),
    audit_event_id: recorded[0] ?? null,
  }
}

function assignment(bulk: RunningBulk, { assigneeId }: RecordState, done: Done | undefined) {
  const before = done?.before.assigneeId
  const wanted = bulk.undoes === null ? (bulk.params.assigneeId ?? null) : typeof before === 'string' ? before : null
  return { edit: { assigneeId: wanted }, before: { assigneeId }, after: { assigneeId: wanted } }
}

function tagging({ action, params, undoes }: RunningBulk, record: RecordState, done: Done | undefined) {
  const tag = params.tag ?? ''
  const isWanted = undoes === null ? action === 'add_tag' : done?.before.hasTag === true
  const others = record.tags.filter((one) => !sameTag(one, tag))
  return {
    edit: { tags: isWanted ? [...record.tags, tag] : others },
    before: { hasTag: hasTag(record, params) },
    after: { hasTag: isWanted },
  }
}
