import { AppError } from '../../../lib/app-error.ts'
import type { Db } from '../../../store/database.ts'
import { familyOf, getStoredRecord, isBlockedByHand, type StoredRecord } from '../../businesses/businesses.ts'
import { businessChildNames } from '../../facts.ts'
import { countChildren } from './count-children.ts'
import { renewed, renewedState } from './merge-plan.rules.ts'
import { addedSince, must } from './merge-read-back.ts'
import { type MergeSnapshot, type RecordGraph, requireNoMore } from './merge-snapshot.ts'
import { findMergeOnTop, type MergeRow, readMergeSnapshot } from './merges.queries.ts'
import type { MergeCounts, ReversalOutcome } from './merges.schema.ts'
import { readRecordState } from './merges.schema.ts'
import { EMPTIED } from './merges.table.ts'
import { planReversal, type ReversePlan } from './reverse-plan.rules.ts'

/** A record in its current state with the counts of its children. */
type Counted = StoredRecord & { counts: MergeCounts }

/** A merge and its two records in their present state. `before`: both records as the snapshot of the merge has them. */
export type ReversalState = {
  snapshot: MergeSnapshot
  survivor: Counted
  loser: Counted
  before: { survivor: RecordGraph; loser: RecordGraph }
  plan: ReversePlan
  /** true if a record that stays merged into the survivor is blocked manually */
  isBlockedBelow: boolean
  /** number of pipeline transitions that the merge itself wrote */
  ownTransitions: number
}

/** Returns the outcome that a reversal would have now, without writing. Errors: `merge_not_reversible`. */
export async function previewReversal(db: Db, row: MergeRow): Promise<ReversalOutcome> {
  await requireReversible(db, row)
  const state = await readReversalState(db, row)
  const { survivor, loser } = state
  const blocked = [survivor, loser].filter(({ business }) => business.do_not_contact === 1)
  const ids = new Set(blocked.map(({ business }) => business.id))
  if (wasCarried(state) && survivor.business.blocked_through === 'hand') ids.delete(survivor.business.id)
  if (wasBlockedSince(state)) ids.add(loser.business.id)
  return outcomeOf(state, [...ids])
}

/** Requires that a reversal of this merge is possible. Errors: `merge_not_reversible`. */
export async function requireReversible(db: Db, row: MergeRow): Promise<void> {
  if (row.status === 'reversed') throw new AppError('merge_not_reversible', 'This merge was already undone.')
  if (row.after === EMPTIED) {
    throw new AppError(
      'merge_not_reversible',
      'A record of this merge was erased, and the stored copy with it. The merge can no longer be undone.',
    )
  }
  const onTop = await findMergeOnTop(db, row)
  if (onTop !== undefined) {
    throw new AppError(
      'merge_not_reversible',
      `“${row.survivor_name}” was merged again later. Undo the later merge first.`,
      { errors: [{ path: 'mergeId', code: 'merged_again', message: onTop }] },
    )
  }
}

/**
 * Reads the snapshot and the present state of both records. Errors: `merge_not_reversible` for an inactive survivor, `too_large`. Throws if the
 * snapshot contains other records.
 */
export async function readReversalState(db: Db, row: MergeRow): Promise<ReversalState> {
  const { tenant_id: tenantId, survivor_id: survivorId, loser_id: loserId } = row
  const { snapshot } = await readMergeSnapshot(db, tenantId, row.snapshot_id)
  must(snapshot.survivorId === survivorId && snapshot.loserId === loserId, 'the snapshot contains other records')
  const before = { survivor: renewed(recordIn(snapshot, survivorId)), loser: renewed(recordIn(snapshot, loserId)) }
  const survivor = renewed(await readCounted(db, tenantId, survivorId))
  if (survivor.business.status === 'inactive')
    throw new AppError('merge_not_reversible', 'The record that was kept is inactive. Reactivate it first.')
  const loser = renewed(await readCounted(db, tenantId, loserId))
  const plan = planReversal(before.survivor, renewedState(readRecordState(row.after)), survivor)
  const isWithEvidence = await hasOwnEvidence(db, tenantId, snapshot, survivor)
  plan.to.columns.has_evidence = isWithEvidence || before.survivor.business.has_evidence === 1 ? 1 : 0
  const isBlockedBelow = await hasBlockedMember(db, tenantId, row)
  return { snapshot, survivor, loser, before, plan, isBlockedBelow, ownTransitions: await countOwn(db, row) }
}

async function hasBlockedMember(db: Db, tenantId: string, { survivor_id, loser_id }: MergeRow): Promise<boolean> {
  const leaving = await familyOf(db, tenantId, loser_id)
  const staying = (await familyOf(db, tenantId, survivor_id)).filter(
    (id) => id !== survivor_id && !leaving.includes(id),
  )
  for (const id of staying) if (isBlockedByHand((await getStoredRecord(db, tenantId, id)).business)) return true
  return false
}

async function countOwn(db: Db, { tenant_id, id, survivor_id }: MergeRow): Promise<number> {
  const { count } = await db
    .selectFrom('pipeline_transitions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenant_id)
    .where('business_id', '=', survivor_id)
    .where('merge_id', '=', id)
    .executeTakeFirstOrThrow()
  return count
}

async function readCounted(db: Db, tenantId: string, id: string): Promise<Counted> {
  const counts = await countChildren(db, tenantId, [id])
  for (const kind of businessChildNames) requireNoMore(kind, counts[kind])
  return { ...(await getStoredRecord(db, tenantId, id)), counts }
}

function recordIn(snapshot: MergeSnapshot, id: string): RecordGraph {
  const found = snapshot.records.find(({ business }) => business.id === id)
  if (found === undefined) throw new Error(`The snapshot does not contain ${id}.`)
  return found
}

async function hasOwnEvidence(db: Db, tenantId: string, snapshot: MergeSnapshot, survivor: Counted): Promise<boolean> {
  if (survivor.counts.evidence > 0) return true
  for (const id of snapshot.survivorFamily.filter((one) => one !== survivor.business.id)) {
    if ((await getStoredRecord(db, tenantId, id)).business.has_evidence === 1) return true
  }
  return false
}

/**
 * True if the survivor is blocked manually only because the merge copied the block of the other record. The reversal lifts such a block: the survivor
 * was not blocked before, nobody blocked it since, because a block of its own replaces the copy, and no record that stays merged into it is blocked
 * manually.
 */
export function wasCarried({ survivor, before, isBlockedBelow }: ReversalState): boolean {
  const { business: was } = before.loser
  return (
    !isBlockedBelow &&
    isBlockedByHand(survivor.business) &&
    !isBlockedByHand(before.survivor.business) &&
    isBlockedByHand(was) &&
    was.blocked_at === survivor.business.blocked_at &&
    was.blocked_by === survivor.business.blocked_by
  )
}

/** True if a person blocked the survivor after the merge. That block was set while the survivor stood for both records, so a reversal blocks both. */
export function wasBlockedSince(state: ReversalState): boolean {
  const { survivor, loser, before } = state
  const { business: was } = before.survivor
  if (wasCarried(state)) return false
  const isAsBefore = isBlockedByHand(was) && was.blocked_at === survivor.business.blocked_at
  return isBlockedByHand(survivor.business) && !isAsBefore && !isBlockedByHand(loser.business)
}

export function outcomeOf(
  { plan, before, survivor, ownTransitions }: ReversalState,
  doNotContact: string[],
): ReversalOutcome {
  const counts = { ...survivor.counts, transitions: survivor.counts.transitions - ownTransitions }
  return {
    restored: plan.restored,
    kept: plan.kept,
    conflicts: plan.conflicts,
    added: addedSince(before.survivor, counts),
    doNotContact: doNotContact.sort(),
  }
}
