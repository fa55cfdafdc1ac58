import { type Cursors, newestFirst, type Page } from '../../../http/pagination.ts'
import { actorKey, type UserActor } from '../../../lib/actor.ts'
import { AppError, namesNothing } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import type { Store } from '../../../store/store.ts'
import { requireEnd, requireOther } from '../../approvals/approvals.ts'
import { isMember } from '../../identity/identity.ts'
import { policyQuota } from '../drafts.quota.ts'
import { limits } from '../limits.ts'
import {
  findNewestNumber,
  findPolicyInForce,
  getPolicyRow,
  insertPolicy,
  nameOfPolicy,
  type PolicyRow,
  policiesOf,
  selectPolicies,
  toPolicy,
  updatePolicy,
} from './policies.queries.ts'
import type { ListPolicies, Policy, ProposePolicy } from './policies.schema.ts'

/*
 * Draft policies (specification, Phase 14 §2): the requirements of a jurisdiction and channel, as the workspace judges them. One person proposes a
 * version and another one approves it. Without an approved policy no draft of its jurisdiction and channel is approved.
 */

/** Errors: `not_found` (the owner), `invalid_request` (the end), `limit_reached`. */
export async function proposePolicy(tx: Tx, input: ProposePolicy): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { jurisdiction, channel, ownerId, endsAt, ...content } = input
  if (!(await isMember(tx.db, tenantId, ownerId)))
    throw namesNothing('ownerId', 'This person is not an active member of the workspace.')
  await requireEnd(tx, endsAt, { field: 'endsAt', days: limits.policyDays })
  await requireRoom(tx, policyQuota)
  const number = (await findNewestNumber(tx.db, { tenantId, jurisdiction, channel })) + 1
  const id = newId()
  await insertPolicy(tx.db, {
    tenant_id: tenantId,
    id,
    jurisdiction,
    channel,
    number,
    content: JSON.stringify(content),
    owner_id: ownerId,
    ends_at: endsAt,
    state: 'proposed',
    proposed_at: tx.at,
    proposed_by: actorKey(tx.actor),
    decided_at: null,
    decided_by: null,
    reason: null,
  })
  const after = { policy: nameOfPolicy({ jurisdiction, channel, number }), ownerId, endsAt, ...content }
  await tx.record({ subject: { type: 'draft_policy', id }, after })
  return { id }
}

type Decision = { id: string; reason: string }

/** Puts a version in force; it replaces the former one. Errors: `not_found`, `policy_not_open`, `own_approval`. */
export async function approvePolicy(tx: Tx, { id, reason }: Decision): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const row = await getWaiting(tx, id)
  requireOther(tx.actor, { 'proposed this policy': row.proposed_by })
  if (row.ends_at <= tx.at)
    throw new AppError('policy_not_open', 'The end of this policy has passed. Propose a new version.')
  const former = await findPolicyInForce(tx.db, { tenantId, jurisdiction: row.jurisdiction, channel: row.channel })
  if (former !== null) await updatePolicy(tx.db, { tenant_id: tenantId, id: former.id }, { state: 'superseded' })
  await decide(tx, row, 'approved', reason)
  const after = { policy: nameOfPolicy(row), superseded: former?.name ?? null, endsAt: row.ends_at }
  await tx.record({ subject: { type: 'draft_policy', id }, after, reason })
  return { id }
}

/** Errors: `not_found`, `policy_not_open`. */
export async function rejectPolicy(tx: Tx, { id, reason }: Decision): Promise<{ id: string }> {
  const row = await getWaiting(tx, id)
  await decide(tx, row, 'rejected', reason)
  await tx.record({ subject: { type: 'draft_policy', id }, after: { policy: nameOfPolicy(row) }, reason })
  return { id }
}

/** Takes an approved or waiting version out of use. Its approved drafts then need review. Errors: `not_found`, `policy_not_open`. */
export async function withdrawPolicy(tx: Tx, { id, reason }: Decision): Promise<{ id: string }> {
  const row = await getPolicyRow(tx.db, tx.actor.tenantId, id)
  if (row.state !== 'approved' && row.state !== 'proposed')
    throw new AppError(
      'policy_not_open',
      `This version is ${row.state}: only a proposed or approved version can be withdrawn.`,
    )
  await decide(tx, row, 'withdrawn', reason)
  const before = { state: row.state }
  await tx.record({ subject: { type: 'draft_policy', id }, before, after: { policy: nameOfPolicy(row) }, reason })
  return { id }
}

async function getWaiting(tx: Tx, id: string): Promise<PolicyRow> {
  const row = await getPolicyRow(tx.db, tx.actor.tenantId, id)
  if (row.state === 'proposed') return row
  throw new AppError('policy_not_open', `This version is ${row.state}: only a proposed version can be decided.`)
}

function decide(tx: Tx, row: PolicyRow, state: 'approved' | 'rejected' | 'withdrawn', reason: string): Promise<void> {
  return updatePolicy(tx.db, row, { state, decided_at: tx.at, decided_by: actorKey(tx.actor), reason })
}

/** Errors: `not_found`. */
export async function getPolicy(store: Store, reader: UserActor, id: string): Promise<Policy> {
  return toPolicy(await getPolicyRow(store.reader, reader.tenantId, id), reader, store.clock().toISOString())
}

export function listPolicies(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  query: ListPolicies,
): Promise<Page<Policy>> {
  const { tenantId } = reader
  const { state, jurisdiction } = query
  const now = store.clock().toISOString()
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['draft policies', tenantId, state ?? '', jurisdiction ?? ''],
    query,
    fetch: (before, limit) => selectPolicies(store.reader, { tenantId, state, jurisdiction, before, limit }),
    count: (db) => policiesOf(db, { tenantId, state, jurisdiction }),
    toItem: (row) => toPolicy(row, reader, now),
  })
}
