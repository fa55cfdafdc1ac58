import { actorKey } from '../../../lib/actor.ts'
import { AppError, invalidField, namesNothing } from '../../../lib/app-error.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { decided, requireEnd, requireOther } from '../../approvals/approvals.ts'
import { isMember } from '../../identity/identity.ts'
import { findSourceState } from '../../sources/sources.ts'
import { POLICY_APPROVAL_DAYS, REDACTION_VERSION } from '../bounds.ts'
import { findApproved, findNewestVersion, getPolicy, insertPolicy, updatePolicy } from './policies.queries.ts'
import type { ApprovePolicy, AssistPolicy, PolicyContent, RejectPolicy } from './policies.schema.ts'

/*
 * Policies of assistance (specification, Phase 13 §1): immutable, numbered versions of a tenant. One version at most is approved. Nobody
 * decides a version that they wrote or submitted.
 */

/** Writes a version, which may be incomplete. Errors: `not_found` (a named source or owner), `invalid_request`. */
export async function createPolicy(tx: Tx, content: PolicyContent): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { sourceId, fallbackSourceId, ownerId, redactionVersion } = content
  for (const [path, id] of Object.entries({ sourceId, fallbackSourceId }))
    if (id !== undefined && (await findSourceState(viewWithoutAdapters(tx), id)) === undefined)
      throw namesNothing(path, 'There is no such source with an adapter.')
  if (ownerId !== undefined && !(await isMember(tx.db, tenantId, ownerId)))
    throw namesNothing('ownerId', 'The owner is not a member of this workspace.')
  if (redactionVersion !== undefined && redactionVersion > REDACTION_VERSION)
    throw invalidField(
      'redactionVersion',
      'unknown_version',
      `The newest version of the redaction rules is ${REDACTION_VERSION}.`,
    )
  const id = newId()
  const version = (await findNewestVersion(tx.db, tenantId)) + 1
  await insertPolicy(tx.db, {
    tenant_id: tenantId,
    id,
    version,
    content: JSON.stringify(content),
    fingerprint: fingerprint({ version, content }),
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    state: 'draft',
    submitted_at: null,
    submitted_by: null,
    decided_at: null,
    decided_by: null,
    decision_reason: null,
    ends_at: null,
    ended_at: null,
  })
  await recordPolicy(tx, 'create', { id, version })
  return { id }
}

/** Sends a complete version to review. Errors: `not_found`, `assist_policy_not_open`, `assist_policy_incomplete`. */
export async function submitPolicy(tx: Tx, id: string): Promise<{ id: string }> {
  const policy = await inState(tx, id, 'draft')
  const [missing] = policy.missing
  if (missing !== undefined)
    throw new AppError(
      'assist_policy_incomplete',
      `Version ${policy.version} is incomplete. Create a version that includes each item.`,
      {
        errors: policy.missing.map((path) => ({ path, code: 'missing', message: 'This item is missing.' })),
      },
    )
  await updatePolicy(tx.db, keyOf(tx, id), {
    state: 'in_review',
    submitted_at: tx.at,
    submitted_by: actorKey(tx.actor),
  })
  await recordPolicy(tx, 'submit', policy)
  return { id }
}

/**
 * Approves a version of somebody else until `endsAt`; the version approved before is superseded. Errors: `not_found`,
 * `assist_policy_not_open`, `assist_policy_changed`, `own_approval`, `invalid_request`.
 */
export async function approvePolicy(tx: Tx, id: string, input: ApprovePolicy): Promise<{ id: string }> {
  const { endsAt, reason } = input
  const policy = await decidable(tx, id, input)
  await requireEnd(tx, endsAt, { field: 'endsAt', days: POLICY_APPROVAL_DAYS })
  const former = await findApproved(tx.db, tx.actor.tenantId, tx.at)
  if (former !== undefined)
    await updatePolicy(tx.db, keyOf(tx, former.id), {
      state: former.state === 'expired' ? 'expired' : 'superseded',
      ended_at: tx.at,
    })
  await updatePolicy(tx.db, keyOf(tx, id), { state: 'approved', ...decided(tx, reason), ends_at: endsAt })
  await recordPolicy(tx, 'approve', policy, { reason, after: { endsAt, supersedes: former?.version ?? null } })
  return { id }
}

/** Errors: as `approvePolicy`. */
export async function rejectPolicy(tx: Tx, id: string, input: RejectPolicy): Promise<{ id: string }> {
  const policy = await decidable(tx, id, input)
  await updatePolicy(tx.db, keyOf(tx, id), { state: 'rejected', ...decided(tx, input.reason), ended_at: tx.at })
  await recordPolicy(tx, 'reject', policy, { reason: input.reason })
  return { id }
}

/** Ends the approved version at once: assistance is then disabled. Errors: `not_found`, `assist_policy_not_open`. */
export async function withdrawPolicy(tx: Tx, id: string, reason: string): Promise<{ id: string }> {
  const policy = await inState(tx, id, 'approved')
  await updatePolicy(tx.db, keyOf(tx, id), { state: 'withdrawn', ended_at: tx.at })
  await recordPolicy(tx, 'withdraw', policy, { reason })
  return { id }
}

/** Expires an approved version whose end is reached. */
export async function expirePolicy(tx: Tx, policy: AssistPolicy): Promise<void> {
  await updatePolicy(tx.db, keyOf(tx, policy.id), { state: 'expired', ended_at: tx.at })
  await recordPolicy(tx, 'expire', policy)
}

async function decidable(tx: Tx, id: string, { fingerprint: seen }: RejectPolicy): Promise<AssistPolicy> {
  const policy = await inState(tx, id, 'in_review')
  if (policy.fingerprint !== seen)
    throw new AppError('assist_policy_changed', 'A newer version exists. Read the new version and decide again.')
  requireOther(tx.actor, { 'wrote this version': policy.createdBy, 'submitted this version': policy.submittedBy })
  return policy
}

async function inState(tx: Tx, id: string, state: AssistPolicy['state']): Promise<AssistPolicy> {
  const policy = await getPolicy(tx.db, tx.actor.tenantId, id, tx.at)
  if (policy.state === state) return policy
  throw new AppError(
    'assist_policy_not_open',
    `Version ${policy.version} is ${policy.state.replace('_', ' ')}, not ${state.replace('_', ' ')}.`,
  )
}

function keyOf(tx: Tx, id: string) {
  return { tenantId: tx.actor.tenantId, id }
}

type PolicyVerb = 'create' | 'submit' | 'approve' | 'reject' | 'withdraw' | 'expire'

async function recordPolicy(
  tx: Tx,
  verb: PolicyVerb,
  { id, version }: { id: string; version: number },
  { reason = null, after = {} }: { reason?: string | null; after?: Record<string, unknown> } = {},
): Promise<void> {
  await tx.record({
    action: `assist.policy_${verb}`,
    subject: { type: 'assist_policy', id },
    after: { version, ...after },
    reason,
  })
}

/** A view for checks that a source exists, which need no loaded adapter. */
function viewWithoutAdapters(tx: Tx) {
  return { db: tx.db, tenantId: tx.actor.tenantId, at: tx.at, adapters: { file: null, items: [] } }
}
