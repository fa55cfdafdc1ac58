import type { Kysely } from 'kysely'
import type { Actor } from '../../../lib/actor.ts'
import type { Database } from '../../../store/database.ts'
import { hidesWordsAbout, reasonForReader } from '../../businesses/businesses.ts'
import type { MergeSummary } from './merges.schema.ts'

/** Returns a merge as this reader may see it. Its reasons are hidden if either record is do not contact and the reader may not see contact values. */
export async function mergeForReader<M extends MergeSummary>(db: Kysely<Database>, actor: Actor, merge: M): Promise<M> {
  const { survivor, loser, reason, reversal } = merge
  const isHidden = await hidesWordsAbout(db, actor, [survivor.id, loser.id])
  return {
    ...merge,
    reason: reasonForReader(reason, { isHidden }),
    reversal: reversal && { ...reversal, reason: reasonForReader(reversal.reason, { isHidden }) },
  }
}
