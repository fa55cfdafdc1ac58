import { actorKey, type UserActor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { daysAfter } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { sequenceOfEvent } from '../../../store/change/audit-chain.ts'
import type { Tx } from '../../../store/change/change.ts'
import { ownApproval } from '../../approvals/approvals.ts'
import { isBlocking } from '../checks/checks.rules.ts'
import { dueAt, type Judged, judgeDraft } from '../checks/judge-draft.ts'
import { readerIn } from '../checks/read-check-input.ts'
import type { Snapshot } from '../checks/snapshot.rules.ts'
import { limits } from '../limits.ts'
import { endRequest, getVersionRow, hasWritten, insertRequest, updateDraft } from './drafts.queries.ts'
import type { ApproveDraft, RejectDraft, Seen } from './drafts.schema.ts'
import { backToWriting, endWaiting, getOpenDraft } from './save-draft.ts'
import { writeEvent } from './write-event.ts'

/*
 * Approval (specification, Phase 14 §3). An approval is bound to the content and to the snapshot that the approver saw. All checks run again in
 * the transaction of the request and of the approval.
 */

type Deciding = { tx: Tx; actor: UserActor; adapters: LoadedAdapters; id: string }

function judgeIn({ tx, actor, adapters, id }: Deciding): Promise<Judged> {
  return judgeDraft(readerIn(tx, adapters), { tenantId: actor.tenantId, id, personId: actor.userId, at: tx.at })
}

/** Errors: `not_found`, `draft_not_open`, `draft_changed`, `suppressed`, `checks_failed`. */
export async function requestApproval(deciding: Deciding, seen: Seen): Promise<{ id: string; version: number }> {
  const { tx, id } = deciding
  await getOpenDraft(tx, id)
  const judged = await judgeIn(deciding)
  const { row, state, version, reading } = judged
  if (state !== 'writing' && state !== 'needs_review')
    throw new AppError(
      'draft_not_open',
      `This draft is ${stateWords[state]}. You can request approval only while a draft is being written.`,
    )
  requireSeen(judged, seen)
  requireChecks(judged)
  await endWaiting(tx, row, state === 'writing' ? 'expired' : 'stale')
  const requestId = newId()
  const expiresAt = daysAfter(judged.now, limits.requestDays)
  await insertRequest(tx.db, {
    tenant_id: row.tenant_id,
    id: requestId,
    draft_id: id,
    number: row.version,
    content_hash: version.content_hash,
    snapshot_hash: judged.snapshotHash,
    snapshot: JSON.stringify(reading.snapshot),
    requested_at: tx.at,
    requested_by: actorKey(tx.actor),
    expires_at: expiresAt,
    outcome: null,
    decided_at: null,
    decided_by: null,
    reason: null,
    approval_ends_at: null,
    sequence: null,
  })
  await updateDraft(tx.db, row, {
    ...backToWriting,
    state: 'in_review',
    request_id: requestId,
    due_at: dueAt(judged, expiresAt),
    updated_at: tx.at,
  })
  await writeEvent(tx, row, { kind: 'requested', version: row.version })
  await tx.record({
    subject: { type: 'draft', id },
    businessId: row.business_id,
    before: { state: row.state },
    after: { state: 'in_review', ...hashesOf(judged), endsAt: expiresAt },
  })
  return { id, version: row.version }
}

const stateWords = {
  writing: 'being written',
  in_review: 'in review',
  approved: 'approved',
  needs_review: 'in need of review',
  closed: 'closed',
} as const

function hashesOf({ row, version, snapshotHash, reading }: Judged) {
  return {
    version: row.version,
    contentHash: version.content_hash,
    snapshotHash,
    policy: reading.snapshot.policy,
    snapshotRules: reading.snapshot.rules,
    ...originOf(reading.snapshot),
  }
}

/** The suggestion with its versions, as an audit event names them; nothing where a person wrote the text. */
export function originOf({ suggestion }: Pick<Snapshot, 'suggestion'>) {
  if (suggestion === null) return {}
  return { suggestion: suggestion.id, provider: suggestion.provider, assistPolicy: suggestion.policy }
}

/** Errors: `draft_changed`, which names what changed. */
export function requireSeen(judged: Judged, seen: Seen): void {
  const { version, snapshotHash, causes } = judged
  if (seen.contentHash === version.content_hash && seen.snapshotHash === snapshotHash) return
  const errors =
    seen.contentHash === version.content_hash
      ? causes.map(({ code, subject }) => ({ path: subject, code, message: `This changed: ${subject}.` }))
      : [{ path: 'contentHash', code: 'content', message: 'The text, its recipient or its sources changed.' }]
  throw new AppError(
    'draft_changed',
    'This draft, or its evidence or policy, changed after you opened it. Check the draft again.',
    {
      errors:
        errors.length > 0
          ? errors
          : [{ path: 'snapshotHash', code: 'snapshot', message: 'The record, a legal basis or the policy changed.' }],
    },
  )
}

/** Every check but that of the approval passes. Errors: `suppressed`, `checks_failed` with each failing check. */
function requireChecks({ checks }: Pick<Judged, 'checks'>): void {
  const failing = checks.filter((check) => check.key !== 'approval' && isBlocking(check))
  if (failing.length === 0) return
  const errors = failing.map(({ key, result, message, action }) => ({
    path: key,
    code: result,
    message: action === null ? message : `${message} ${action}`,
  }))
  if (failing.some(({ key }) => key === 'suppression'))
    throw new AppError('suppressed', 'This prospect, the recipient or a value in the text is marked do not contact.', {
      errors,
    })
  throw new AppError('checks_failed', 'A check of this draft fails. Correct the draft first.', { errors })
}

/** Returns the error for a person who may not decide about a draft, or null. */
export async function refusalOf(
  db: Tx['db'],
  { row, request }: Pick<Judged, 'row' | 'request'>,
  personId: string,
): Promise<AppError | null> {
  if (request !== undefined && request.requested_by === personId) return ownApproval('requested this approval')
  return (await hasWritten(db, row.tenant_id, row.id, personId)) ? ownApproval('wrote a version of this draft') : null
}

/**
 * Approves the version and the snapshot that the approver saw. Returns ids alone. Errors: `not_found`, `draft_not_open`, `own_approval`,
 * `draft_changed`, `suppressed`, `checks_failed`. The route records a refusal: an error rolls back what this change recorded.
 */
export async function approveDraft(
  deciding: Deciding,
  input: ApproveDraft,
): Promise<{ id: string; version: number; eventId: string }> {
  const { tx, actor, id } = deciding
  const judged = await judgeIn(deciding)
  const { row, request, state } = judged
  if (row.state !== 'in_review' || request === undefined)
    throw new AppError('draft_not_open', 'No approval of this draft is requested, or somebody else has decided.')
  const refusal = await refusalOf(tx.db, judged, actor.userId)
  if (refusal !== null) throw refusal
  if (state === 'writing')
    throw new AppError('draft_not_open', 'The request has expired. The author can request approval again.')
  requireSeen(judged, input)
  requireChecks(judged)
  if (state !== 'in_review')
    throw new AppError(
      'draft_changed',
      'The evidence or the policy of this draft changed after approval was requested.',
      {
        errors: judged.causes.map(({ code, subject }) => ({
          path: subject,
          code,
          message: `This changed: ${subject}.`,
        })),
      },
    )
  const endsAt = daysAfter(judged.now, input.endsInDays)
  const eventId = await tx.record({
    subject: { type: 'draft', id },
    businessId: row.business_id,
    before: { state: 'in_review' },
    after: { state: 'approved', ...hashesOf(judged), endsAt, requestId: request.id },
    reason: input.reason,
  })
  await endRequest(tx.db, request, {
    outcome: 'approved',
    at: tx.at,
    by: actorKey(actor),
    reason: input.reason,
    approval: { endsAt, sequence: sequenceOfEvent(eventId) },
  })
  await updateDraft(tx.db, row, { state: 'approved', due_at: dueAt(judged, endsAt), updated_at: tx.at })
  await writeEvent(tx, row, { kind: 'approved', version: row.version, reason: input.reason })
  return { id, version: row.version, eventId }
}

/** Rejects the version that the approver saw. Errors: `not_found`, `draft_not_open`, `draft_changed`. */
export async function rejectDraft(
  tx: Tx,
  id: string,
  { reason, contentHash }: RejectDraft,
): Promise<{ id: string; version: number }> {
  if (contentHash !== undefined) {
    const { version } = await getOpenDraft(tx, id)
    const { content_hash } = await getVersionRow(tx.db, tx.actor.tenantId, id, version)
    if (content_hash !== contentHash)
      throw new AppError('draft_changed', 'Another version of this draft waits for approval. Check the new version.', {
        errors: [{ path: 'contentHash', code: 'content', message: 'The text, its recipient or its sources changed.' }],
      })
  }
  return endReview(tx, id, 'rejected', reason)
}

/** Errors: `not_found`, `draft_not_open`. */
export async function withdrawRequest(
  tx: Tx,
  { id, reason }: { id: string; reason: string | null },
): Promise<{ id: string; version: number }> {
  return endReview(tx, id, 'withdrawn', reason)
}

async function endReview(
  tx: Tx,
  id: string,
  outcome: 'rejected' | 'withdrawn',
  reason: string | null,
): Promise<{ id: string; version: number }> {
  const row = await getOpenDraft(tx, id)
  if (row.state !== 'in_review')
    throw new AppError('draft_not_open', 'No approval of this draft is requested, or somebody else has decided.')
  await endWaiting(tx, row, outcome, reason)
  await updateDraft(tx.db, row, { ...backToWriting, updated_at: tx.at })
  await writeEvent(tx, row, { kind: outcome, version: row.version, reason })
  await tx.record({
    subject: { type: 'draft', id },
    businessId: row.business_id,
    before: { state: 'in_review' },
    after: { state: 'writing', version: row.version },
    reason,
  })
  return { id, version: row.version }
}
