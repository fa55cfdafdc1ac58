import type { Kysely } from 'kysely'
import type { Actor } from '../../../lib/actor.ts'
import type { Database } from '../../../store/database.ts'
import { findHiddenRecords, hidesWordsAbout, reasonForReader } from '../../businesses/businesses.ts'
import type { MergeSummary } from './merges.schema.ts'

/** Returns a merge as this reader may see it. Its reasons are hidden if either record is do not contact and the reader may not see contact values. */
export async function mergeForReader<M extends MergeSummary>(db: Kysely<Database>, actor: Actor, merge: M): Promise<M> {
  const { survivor, loser } = merge
  return hideReasons(merge, await hidesWordsAbout(db, actor, [survivor.id, loser.id]))
}

/** Returns a page of merges as this reader may see them. */
export async function mergesForReader<M extends MergeSummary>(
  db: Kysely<Database>,
  actor: Actor,
  merges: readonly M[],
): Promise<M[]> {
  const ids = merges.flatMap(({ survivor, loser }) => [survivor.id, loser.id])
  const hidden = await findHiddenRecords(db, actor, ids)
  return merges.map((merge) => hideReasons(merge, hidden.has(merge.survivor.id) || hidden.has(merge.loser.id)))
}

function hideReasons<M extends MergeSummary>(merge: M, isHidden: boolean): M {
  const { reason, reversal } = merge
  return {
    ...merge,
    reason: reasonForReader(reason, { isHidden }),
    reversal: reversal && { ...reversal, reason: reasonForReader(reversal.reason, { isHidden }) },
  }
}
