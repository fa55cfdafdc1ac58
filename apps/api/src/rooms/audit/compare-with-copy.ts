import type { Kysely } from 'kysely'
import type { Database } from '../../store/database.ts'
import { findHash } from './audit.queries.ts'
import type { Broken, KnownCheckpoint } from './checkpoints/verify-checkpoints.ts'

/** The ends of all chains according to the manifest of a backup, which is stored elsewhere. */
export type ChainCopy = {
  takenAt: string
  ends: readonly { tenantId: string; sequence: number; hash: string }[]
  checkpoints: readonly KnownCheckpoint[]
}

/**
 * Returns a sentence if the chain contradicts the copy. Returns null if the chain contains the copy's last event, or if the copy does not have the
 * tenant.
 */
export async function unlikeCopy(
  db: Kysely<Database>,
  tenantId: string,
  copy: ChainCopy | null,
): Promise<Broken | null> {
  const end = copy?.ends.find((one) => one.tenantId === tenantId)
  if (copy === null || end === undefined) return null
  const { sequence, hash } = end
  const found = await findHash(db, tenantId, sequence)
  if (found === undefined)
    return {
      sequence,
      reason: `Event ${sequence} is in the copy of ${copy.takenAt} and is missing: the end of the history was cut off.`,
    }
  if (found !== hash)
    return {
      sequence,
      reason: `Event ${sequence} is not the one in the copy of ${copy.takenAt}: the history up to it was rewritten.`,
    }
  return null
}
