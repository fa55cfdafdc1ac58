import { actorKey, requirePermission, type UserActor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { AuditAction } from '../../../lib/declared.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { sequenceOfEvent } from '../../../store/change/audit-chain.ts'
import type { Tx } from '../../../store/change/change.ts'
import { requireEnd, requireOther } from '../../approvals/approvals.ts'
import type { Enable, GiveApproval } from '../sources.schema.ts'
import type { SourceDecisionTable } from '../sources.table.ts'
import { desks } from '../sources.table.ts'
import { openItemSentence } from './open-item-words.ts'
import { insertDecision, isAtDesk, updateSource } from './registry.queries.ts'
import { type AdapterSource, getSourceRow, readSourceState } from './source-state.ts'
import { approvalProblem, type OpenItem, readLapsedItems, type SourceStatus } from './status.rules.ts'

/*
 * Decisions about a source (specification, Phase 5 §2). Three groups of members (desks: product, legal, security) approve a version, a person enables
 * it, and any decision can be revoked. Decisions are inserted and never changed. Each is bound to the fingerprint that the person saw.
 */

/** Maximum number of days for which an approval or an enablement is valid. */
const decisionLimits = { approvalDays: 366, enablementDays: 90 } as const

type Changing = { tx: Tx; actor: UserActor; adapters: LoadedAdapters }

/**
 * Approves or rejects the newest version on behalf of a desk (product, legal or security). Errors: `not_found`, `own_approval`, `desk_required`,
 * `approver_not_distinct`, `source_changed`, `source_incomplete`, `conflict`, `invalid_request` (the end).
 */
export async function giveApproval(changing: Changing, sourceId: string, input: GiveApproval): Promise<{ id: string }> {
  const { tx, actor } = changing
  const { desk, decision, fingerprint, reason, endsAt } = input
  const source = await getAdapterSource(changing, sourceId)
  requireOther(actor, { 'wrote this version': source.row.author })
  if (!(await isAtDesk(tx.db, actor.tenantId, desk, actor.userId)))
    throw new AppError('desk_required', `An administrator has not designated you for the ${desk} desk.`)
  requireStatus(source, ['incomplete', 'awaiting_approval', 'lapsed', 'approved', 'enabled'])
  if (decision === 'reject') {
    requireFingerprint(source, fingerprint)
    return append(tx, source, 'source.reject', { kind: 'rejection', desk, reason })
  }
  requireOtherDesks(source, actor, desk)
  requireFingerprint(source, fingerprint)
  requireComplete(source, 'approved')
  if (validApproval(source, desk) !== undefined)
    throw new AppError('conflict', `The ${desk} desk has already approved this version.`)
  const ends = await requireEnd(tx, endsAt, { field: 'endsAt', days: decisionLimits.approvalDays })
  return append(tx, source, 'source.approve', { kind: 'approval', desk, reason, ends_at: ends })
}

/**
 * Enables the source. For an enabled source, sets another end. Errors: `not_found`, `own_approval`, `source_changed`, `source_incomplete`,
 * `source_not_approved`, `invalid_request` (the end), `conflict`.
 */
export async function enableSource(
  changing: Changing,
  sourceId: string,
  { fingerprint, reason, endsAt }: Enable,
): Promise<{ id: string }> {
  const { tx, actor } = changing
  const source = await getAdapterSource(changing, sourceId)
  requireOther(actor, { 'wrote this version': source.row.author })
  requireStatus(source, ['incomplete', 'awaiting_approval', 'lapsed', 'approved', 'enabled'])
  requireFingerprint(source, fingerprint)
  const { openItems } = source.state
  if (openItems.some((open) => isUnfinished(open))) requireComplete(source, 'enabled')
  const open = openItems.filter(({ item }) => item !== 'enablement')
  if (open.length > 0) throw new AppError('source_not_approved', sentenceAgainst('enabled', source, open))
  const ends = await requireEnd(tx, endsAt, { field: 'endsAt', days: decisionLimits.enablementDays })
  return append(tx, source, 'source.enable', { kind: 'enablement', reason, ends_at: ends })
}

/** Revokes an approval or the enablement. The next request for a permit is then refused. Errors: `not_found`, `permission_denied`, `conflict`. */
export async function revokeDecision(
  changing: Changing,
  sourceId: string,
  { decisionId, reason }: { decisionId: string; reason: string },
): Promise<{ id: string }> {
  const { tx, actor } = changing
  const source = await getAdapterSource(changing, sourceId)
  const decision = source.decisions.find(({ id }) => id === decisionId)
  if (decision?.kind !== 'approval' && decision?.kind !== 'enablement')
    throw new AppError('not_found', 'The newest version has no such approval.', {
      errors: [{ path: 'decisionId', code: 'not_found', message: 'This approval or enablement does not exist.' }],
    })
  requirePermission(actor, decision.kind === 'approval' ? 'sources.approve' : 'sources.enable')
  if (source.decisions.some((one) => one.kind === 'revocation' && one.revokesId === decisionId))
    throw new AppError('conflict', 'This decision was already revoked.')
  const made = await append(tx, source, 'source.revoke', { kind: 'revocation', reason, revokes_id: decisionId })
  await recordLapses(changing, await getAdapterSource(changing, sourceId))
  return made
}

/** Disables the source. Errors: `not_found`, `conflict` if it is not enabled. */
export async function disableSource(
  changing: Pick<Changing, 'tx' | 'adapters'>,
  sourceId: string,
  reason: string,
): Promise<{ id: string }> {
  const source = await getAdapterSource(changing, sourceId)
  const isEnablementOver = !source.state.openItems.some(({ item }) => item === 'enablement')
  if (source.state.status !== 'enabled' && isEnablementOver)
    throw new AppError('conflict', 'This source is not enabled.')
  return append(changing.tx, source, 'source.disable', { kind: 'disablement', reason })
}

/** Withdraws the source permanently. Errors: `not_found`, `conflict`. */
export async function withdrawSource(
  changing: Pick<Changing, 'tx' | 'adapters'>,
  sourceId: string,
  reason: string,
): Promise<{ id: string }> {
  const source = await getAdapterSource(changing, sourceId)
  if (source.state.status === 'withdrawn') throw new AppError('conflict', 'This source was already withdrawn.')
  return append(changing.tx, source, 'source.withdraw', { kind: 'withdrawal', reason })
}

/** Returns the source with its status in this transaction. Errors: `not_found`, `conflict` for a built-in source. */
export async function getAdapterSource(
  { tx, adapters }: Pick<Changing, 'tx' | 'adapters'>,
  sourceId: string,
): Promise<AdapterSource> {
  const { tenantId } = tx.actor
  const row = await getSourceRow(tx.db, tenantId, sourceId)
  const source = await readSourceState({ db: tx.db, tenantId, at: tx.at, adapters }, row)
  if (source === undefined)
    throw new AppError('conflict', 'A built-in source sends no requests, so it needs no approval.')
  return source
}

/**
 * Records the items of an approved source that are no longer valid (a lapse), unless they are already recorded. Returns true if there were any. A
 * recorded item stays invalid, and a person must enable the source again. The upkeep loop calls this, and every change that may find a lapse calls it
 * first.
 */
export async function recordLapses({ tx }: Pick<Changing, 'tx'>, source: AdapterSource): Promise<boolean> {
  const { unrecorded } = source.state
  if (unrecorded.length === 0) return false
  const reason = unrecorded.map(({ item, problem }) => `${item} ${problem}`).join(', ')
  await append(tx, source, 'source.lapse', { kind: 'lapse', reason, items: JSON.stringify(unrecorded) })
  return true
}

type Appended = Pick<SourceDecisionTable, 'kind' | 'reason'> &
  Partial<Pick<SourceDecisionTable, 'desk' | 'ends_at' | 'revokes_id' | 'items'>>

/** Inserts a decision about the newest version, with its audit event. */
export async function append(
  tx: Tx,
  { row, present }: Pick<AdapterSource, 'row' | 'present'>,
  action: AuditAction,
  { kind, reason, desk = null, ends_at = null, revokes_id = null, items = null }: Appended,
): Promise<{ id: string }> {
  const id = newId()
  const { id: sourceId, contract_version: number } = row
  const told = {
    decisionId: id,
    contractVersion: number,
    ...(desk === null ? {} : { desk }),
    ...(ends_at === null ? {} : { endsAt: ends_at }),
    ...(revokes_id === null ? {} : { revokesId: revokes_id }),
    ...(items === null ? {} : { items: readLapsedItems(items) }),
  }
  const event = await tx.record({ action, subject: { type: 'source', id: sourceId }, after: told, reason })
  await insertDecision(tx.db, {
    tenant_id: tx.actor.tenantId,
    id,
    source_id: sourceId,
    number,
    kind,
    desk,
    fingerprint: present.fingerprint,
    reason,
    ends_at,
    revokes_id,
    items,
    sequence: sequenceOfEvent(event),
    at: tx.at,
    actor: actorKey(tx.actor),
  })
  // Increments the source's version, so that a person who read the source earlier must read it again before editing.
  await updateSource(tx.db, row, { updated_at: tx.at })
  return { id }
}

function requireStatus({ state: { status } }: AdapterSource, allowed: readonly SourceStatus[]): void {
  if (allowed.includes(status)) return
  if (status === 'withdrawn') throw new AppError('conflict', 'This source was withdrawn. Propose a new source.')
  throw new AppError('conflict', 'A desk rejected this version. Save a new version of the contract first.')
}

function requireFingerprint({ present }: AdapterSource, fingerprint: string): void {
  if (fingerprint === present.fingerprint) return
  throw new AppError(
    'source_changed',
    'The contract or the connector changed after you opened this source. Reload the page.',
  )
}

/** Throws unless every item of the contract is present and valid, the adapter is loaded, and it accepts the contract. */
function requireComplete(source: AdapterSource, decision: 'approved' | 'enabled'): void {
  const open = source.state.openItems.filter(({ item }) => !item.startsWith('approval.') && item !== 'enablement')
  if (open.length > 0) throw new AppError('source_incomplete', sentenceAgainst(decision, source, open))
}

/** True for an item that the author completes by a new version of the contract. */
function isUnfinished({ item, problem }: OpenItem): boolean {
  return (problem === 'missing' || problem === 'not_accepted') && !item.startsWith('approval.')
}

function sentenceAgainst(
  decision: 'approved' | 'enabled',
  { adapter }: AdapterSource,
  open: readonly OpenItem[],
): string {
  const reasons = open.map((item) => openItemSentence(item, adapter))
  return `This version cannot be ${decision} yet. ${reasons.join(' ')}`
}

/** Returns the approval of a desk that is valid now, or undefined. */
export function validApproval(source: Pick<AdapterSource, 'decisions' | 'present'>, desk: (typeof desks)[number]) {
  const approval = source.decisions.findLast((one) => one.kind === 'approval' && one.desk === desk)
  if (approval?.kind !== 'approval') return undefined
  return approvalProblem(approval, source.decisions, source.present) === undefined ? approval : undefined
}

function requireOtherDesks(source: AdapterSource, actor: UserActor, desk: (typeof desks)[number]): void {
  const isElsewhere = desks.some((other) => other !== desk && validApproval(source, other)?.actor === actor.userId)
  if (!isElsewhere) return
  throw new AppError(
    'approver_not_distinct',
    'You approved this version for another desk. A version needs approvals by three different people.',
  )
}
