import { actorKey } from '../../../lib/actor.ts'
import { AppError, invalidField } from '../../../lib/app-error.ts'
import type { Tx } from '../../../store/change/change.ts'
import { decided, requireOther } from '../../approvals/approvals.ts'
import { memberActor } from '../../identity/identity.ts'
import { findCurrentPreview } from '../previews/previews.queries.ts'
import { isRunActive } from '../runs/runs.queries.ts'
import type { VersionState } from '../scoring.table.ts'
import { requireEvaluable } from './require-evaluable.ts'
import {
  contentOf,
  getVersionRow,
  selectEditors,
  updateVersion,
  type VersionKey,
  type VersionRow,
} from './rule-sets.queries.ts'
import type { Approval } from './rule-sets.schema.ts'

/*
 * Changes the state of a version from draft to approved (specification, Phase 10 §1). Submission needs a rollback plan and a full preview of exactly
 * the submitted content. The approver must not have edited the version. An approved version is never edited.
 */

/**
 * Submits a draft for approval. Errors: `not_found`, `conflict` (not a draft), `invalid_request` (problems in the content, no rollback plan),
 * `preview_required`.
 */
export async function submitVersion(tx: Tx, key: VersionKey): Promise<{ id: string }> {
  const row = await getInState(tx, key, 'draft', 'submitted')
  requireEvaluable(contentOf(row))
  if (row.rollback_plan === null)
    throw invalidField('rollbackPlan', 'required', 'Write a rollback plan before you submit the version.')
  const preview = await findCurrentPreview(tx.db, key, { contentHash: row.content_hash, at: tx.at })
  if (preview === undefined) {
    throw new AppError('preview_required', 'Run a full preview of exactly these rules before you submit the version.')
  }
  return moveTo(tx, key, row, 'submitted', {
    columns: { submitted_at: tx.at, submitted_by: actorKey(tx.actor), preview_id: preview.id },
    after: { contentHash: row.content_hash, previewId: preview.id, rollbackPlan: row.rollback_plan },
    reason: null,
  })
}

/** Returns a submitted version to draft. Only the person who submitted it may withdraw it. Errors: `not_found`, `conflict`, `permission_denied`. */
export async function withdrawVersion(tx: Tx, key: VersionKey): Promise<{ id: string }> {
  const row = await getInState(tx, key, 'submitted', 'withdrawn')
  if (row.submitted_by !== actorKey(tx.actor)) {
    throw new AppError(
      'permission_denied',
      'Only the person who submitted a version can withdraw it. Reject it instead.',
    )
  }
  return moveTo(tx, key, row, 'draft', {
    columns: { submitted_at: null, submitted_by: null, preview_id: null },
    after: { contentHash: row.content_hash },
    reason: null,
  })
}

/** Rejects a submitted version. Errors: `not_found`, `conflict`, `permission_denied` (the role of the actor has changed since the request began). */
export async function rejectVersion(tx: Tx, key: VersionKey, reason: string): Promise<{ id: string }> {
  await requireStillApprover(tx)
  const row = await getInState(tx, key, 'submitted', 'rejected')
  return moveTo(tx, key, row, 'rejected', {
    columns: decided(tx, reason),
    after: { contentHash: row.content_hash },
    reason,
  })
}

/**
 * Approves the content with the given hash, based on the full preview that the approver saw. Errors: `not_found`, `conflict`, `own_approval`,
 * `content_changed`, `preview_required`, `permission_denied`.
 */
export async function approveVersion(
  tx: Tx,
  key: VersionKey,
  { contentHash, previewId, reason }: Approval,
): Promise<{ id: string }> {
  await requireStillApprover(tx)
  const row = await getInState(tx, key, 'submitted', 'approved')
  const editors = await selectEditors(tx.db, key)
  requireOther(tx.actor, {
    'submitted this version': row.submitted_by,
    'edited this version': editors.map(({ id }) => id),
  })
  if (contentHash !== row.content_hash) {
    throw new AppError(
      'content_changed',
      'The version changed after you opened it. Open the version again and compare.',
    )
  }
  contentOf(row)
  const preview = await findCurrentPreview(tx.db, key, { contentHash, at: tx.at, id: previewId })
  if (preview === undefined) {
    throw new AppError(
      'preview_required',
      'The preview that you saw has expired or belongs to other rules. Run a full preview and open it.',
    )
  }
  return moveTo(tx, key, row, 'approved', {
    columns: { ...decided(tx, reason), preview_id: previewId },
    after: { contentHash, previewId },
    reason,
  })
}

/** Retires an approved version. Errors: `not_found`, `conflict` (not approved, or its scores are the active ones), `permission_denied`. */
export async function retireVersion(tx: Tx, key: VersionKey, reason: string): Promise<{ id: string }> {
  await requireStillApprover(tx)
  const row = await getInState(tx, key, 'approved', 'retired')
  if (await isRunActive(tx.db, key)) {
    throw new AppError(
      'conflict',
      'The scores of this version are active. Activate the scores of another version first.',
    )
  }
  return moveTo(tx, key, row, 'retired', {
    columns: { retired_at: tx.at, retired_by: actorKey(tx.actor), retirement_reason: reason },
    after: { contentHash: row.content_hash },
    reason,
  })
}

async function getInState(tx: Tx, key: VersionKey, state: VersionState, wanted: string): Promise<VersionRow> {
  const row = await getVersionRow(tx.db, key)
  if (row.state !== state) {
    throw new AppError(
      'conflict',
      `Version ${key.number} is ${row.state}: only a version that is ${stateWords[state]} can be ${wanted}.`,
    )
  }
  return row
}

const stateWords: Readonly<Record<VersionState, string>> = {
  draft: 'a draft',
  submitted: 'submitted',
  approved: 'approved',
  rejected: 'rejected',
  retired: 'retired',
}

/**
 * Checks the actor's role again, because it may have been revoked between the start of the request and its write transaction. Errors:
 * `permission_denied`.
 */
async function requireStillApprover(tx: Tx): Promise<void> {
  const { actor } = tx
  if (actor.kind !== 'user') return
  const now = await memberActor(tx.db, { tenantId: actor.tenantId, userId: actor.userId }, actor.correlationId)
  if (now?.permissions.has('scoring.approve') !== true) {
    throw new AppError('permission_denied', 'Your role no longer includes scoring.approve.')
  }
}

type Move = {
  columns: Parameters<typeof updateVersion>[2]
  after: Record<string, unknown>
  reason: string | null
}

async function moveTo(
  tx: Tx,
  key: VersionKey,
  row: VersionRow,
  state: VersionState,
  { columns, after, reason }: Move,
): Promise<{ id: string }> {
  await updateVersion(tx.db, key, { ...columns, state, version: row.version + 1, updated_at: tx.at })
  await tx.record({
    subject: { type: 'scoring_rule_set', id: key.ruleSetId },
    before: { version: key.number, state: row.state },
    after: { version: key.number, state, ...after },
    reason,
  })
  return { id: key.ruleSetId }
}
