import type { Tx } from '../../../store/change/change.ts'
import { businessesInRanges, endMatches, type KeyRange, type MatchCause } from '../../contact-gate/contact-gate.ts'
import { freeRows } from './block-rows.ts'
import { markForEntry } from './mark-matched.ts'

/*
 * Marks or unmarks all businesses of one suppression entry in batches, within the change that adds or removes the entry. That change records one
 * event with the number of records; each match has its own time and reason. Other writes wait for the change. Read-only requests are served between
 * batches.
 */

/**
 * Marks every business of the tenant that has a suppression key in these ranges, and every record that such a business was merged into. Returns the
 * number of records that the entry now matches and did not match before.
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

/**
 * Ends the matches of an ended suppression entry. Unmarks each business that no other entry matches, unless it is blocked manually. Returns the
 * number of ended matches.
 */
export async function freeByEntry(tx: Tx, suppressionId: string): Promise<number> {
  let ended = 0
  for await (const businessIds of endMatches(tx, suppressionId)) {
    await freeRows(tx, businessIds)
    ended += businessIds.length
  }
  return ended
}
