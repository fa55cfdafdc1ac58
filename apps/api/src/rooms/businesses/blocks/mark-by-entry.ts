import type { Tx } from '../../../store/change/change.ts'
import { businessesInRanges, endMatches, type KeyRange, type MatchCause } from '../../contact-gate/contact-gate.ts'
import { freeRows } from './block-rows.ts'
import { markForEntry } from './mark-matched.ts'

/*
 * Marks and frees all businesses of one entry in batches, in the change that adds or removes the entry. That change records one event with the
 * number; each match has its time and reason. Other writes wait for the change; between two batches, requests that only read are served.
 */

/**
 * Marks every business of the tenant that has a key in these ranges, and every record that it was merged into. Returns the number of records that the
 * entry matches now and did not match before.
 */
export async function markByEntry(
  tx: Tx,
  suppressionId: string,
  ranges: readonly KeyRange[],
  cause: MatchCause,
): Promise<number> {
  let matched = 0
  for await (const businessIds of businessesInRanges(tx, ranges))
    matched += (await markForEntry(tx, { suppressionId, businessIds, cause })).matched
  return matched
}

/** Ends the matches of an ended entry. Frees a business that no other entry matches, unless it is blocked manually. Returns the number of matches. */
export async function freeByEntry(tx: Tx, suppressionId: string): Promise<number> {
  let ended = 0
  for await (const businessIds of endMatches(tx, suppressionId)) {
    await freeRows(tx, businessIds)
    ended += businessIds.length
  }
  return ended
}
