import type { Tx } from '../../../store/change/change.ts'
import { type GateMatch, insertMatches, liveMatchesOf } from '../../contact-gate/contact-gate.ts'
import type { BusinessTable } from '../businesses.table.ts'
import { blockRow, isBlockedByHand, liftRow, markRows } from './block-rows.ts'
import { markForMatches, recordCarriedMark } from './mark-matched.ts'

/*
 * Copies blocks between records that a merge combines. Reports read the time of a manual block from its audit event, and the time of an entry's mark
 * from its suppression match; the mark's event is shown only in the activity.
 */

/**
 * Copies the live suppression matches and the manual block of a record to the survivor of its coming merge, which must be active. Also marks the
 * survivor for the entries that match its new values. Without this the database rejects the merge. Records one event if the survivor was not blocked
 * before, or not manually. `survivor` is its row before the merge.
 */
export async function carryToSurvivor(
  tx: Tx,
  { loser, survivor, matches }: { loser: BusinessTable; survivor: BusinessTable; matches: readonly GateMatch[] },
): Promise<void> {
  const blocked = await markForMatches(tx, survivor.id, matches, 'record')
  for (const { suppressionId, at } of await liveMatchesOf(tx.db, tx.actor.tenantId, loser.id)) {
    blocked.push(...(await markRows(tx, [survivor.id], { suppressionId, at })))
    await insertMatches(tx, { suppressionId, at, records: [{ id: survivor.id, cause: 'merge' }] })
  }
  if (isBlockedByHand(loser) && !isBlockedByHand(survivor)) await carryBlock(tx, loser, survivor)
  else if (blocked.length > 0) await recordCarriedMark(tx, survivor.id, loser.id)
}

/** Copies a manual block from one record to another, with its reason, time and author, and records an event. */
export async function carryBlock(tx: Tx, from: BusinessTable, to: BusinessTable): Promise<void> {
  const { blocked_at, blocked_by, blocked_reason } = from
  await blockRow(tx, to.id, { blocked_at, blocked_by, blocked_reason })
  await recordCarriedBlock(tx, { from: from.id, to, reason: blocked_reason })
}

/**
 * Lifts the manual block that a merge copied to a survivor, when the merge is reversed, and records an event. `survivor` is its present row. A record
 * that a suppression entry matches stays blocked by the entry.
 */
export async function liftCarriedBlock(
  tx: Tx,
  { survivor, loserId }: { survivor: BusinessTable; loserId: string },
): Promise<void> {
  const isMarked = survivor.blocked_through === 'both'
  await liftRow(tx, survivor.id, { isMarked })
  await tx.record({
    action: 'business.unblock',
    subject: { type: 'business', id: survivor.id },
    businessId: survivor.id,
    before: { doNotContact: true, carriedFrom: loserId },
    after: { doNotContact: isMarked },
    reason: 'The merge that had copied this block was reversed.',
  })
}

/** Records that a merge copied the manual block of one record to another. `to` is the row before the block. */
export async function recordCarriedBlock(
  tx: Tx,
  { from, to, reason }: { from: string; to: Pick<BusinessTable, 'id' | 'do_not_contact'>; reason: string | null },
): Promise<void> {
  await tx.record({
    action: 'business.block',
    subject: { type: 'business', id: to.id },
    businessId: to.id,
    before: { doNotContact: to.do_not_contact === 1 },
    after: { doNotContact: true, carriedFrom: from },
    reason,
  })
}
