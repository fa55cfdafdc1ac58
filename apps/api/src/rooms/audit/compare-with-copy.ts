import type { Kysely } from 'kysely'
import type { Database } from '../../store/database.ts'
import type { Broken, KnownCheckpoint } from './checkpoints/verify-checkpoints.ts'

/** The ends of the chains in a copy that is stored elsewhere: the manifest of a backup. */
export type ChainCopy = {
  takenAt: string
  ends: readonly { tenantId: string; sequence: number; hash: string }[]
  checkpoints: readonly KnownCheckpoint[]
}

/** Returns the difference between the chain and the copy; null if the chain has the copy's event, or the copy lacks the tenant. */
export async function unlikeCopy(
  db: Kysely<Database>,
  tenantId: string,
  copy: ChainCopy | null,
): Promise<Broken | null> {
  const end = copy?.ends.find((one) => one.tenantId === tenantId)
  if (copy === null || end === undefined) return null
  const { sequence, hash } = end
  const event = await db
    .selectFrom('audit_events')
    .select('hash')
    .where('tenant_id', '=', tenantId)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  if (event === undefined)
    return {
      sequence,
      reason: `Event ${sequence} is in the copy of ${copy.takenAt} and is missing: the end of the history was cut off.`,
    }
  if (event.hash !== hash)
    return {
      sequence,
      reason: `Event ${sequence} is not the one in the copy of ${copy.takenAt}: the history up to it was rewritten.`,
    }
  return null
}
