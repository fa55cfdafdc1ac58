import type { Tx } from '../../../store/change/change.ts'
import { type GateMatch, insertMatches, liveMatchesOf } from '../../contact-gate/contact-gate.ts'
import type { BusinessTable } from '../businesses.table.ts'
import { blockRow, isBlockedByHand, markRows } from './block-rows.ts'
import { markForMatches, recordCarriedMark } from './mark-matched.ts'

/*
 * Carries blocks between records that a merge makes one. Reports read from the events of blocks by hand when a record was blocked; marks
 * by entries they read from the matches, and the event shows the mark in the activity.
 */

/**
 * Carries the live matches and the block by hand of a record to the one that it is about to be merged into, which must be active, and
 * marks that one for the entries that match its new values. The database refuses the merge without it. Records one event when the
 * survivor was not blocked, or not by hand, before. `survivor` is its row as it was before the merge.
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

/** Blocks a record by hand as another one is, with its reason, time and person, and records it. */
export async function carryBlock(tx: Tx, from: BusinessTable, to: BusinessTable): Promise<void> {
  const { blocked_at, blocked_by, blocked_reason } = from
  await blockRow(tx, to.id, { blocked_at, blocked_by, blocked_reason })
  await recordCarriedBlock(tx, { from: from.id, to, reason: blocked_reason })
}

/** Records that the block by hand of one record reached another through a merge. `to` is the row as it was before. */
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
