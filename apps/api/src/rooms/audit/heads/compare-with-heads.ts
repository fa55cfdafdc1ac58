import type { Db } from '../../../store/database.ts'
import { findHash } from '../audit.queries.ts'
import type { Broken } from '../checkpoints/verify-checkpoints.ts'
import type { Head } from './head.ts'

/** Returns the fault of the first kept head that the tenant's chain contradicts; null if it contains all of them. */
export async function unlikeHeads(db: Db, tenantId: string, heads: readonly Head[]): Promise<Broken | null> {
  const own = heads.filter(({ tenant }) => tenant === tenantId).toSorted((one, other) => one.sequence - other.sequence)
  for (const { sequence, hash, at } of own) {
    const found = await findHash(db, tenantId, sequence)
    if (found === undefined)
      return { sequence, reason: `Event ${sequence} is in the head of ${at} and is missing: the history was cut off.` }
    if (found !== hash)
      return {
        sequence,
        reason: `Event ${sequence} is not the one in the head of ${at}: the history up to it was rewritten, or is a fork.`,
      }
  }
  return null
}
