import { createPublicKey } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../store/database.ts'
import type { Keys } from '../../store/files/keys.ts'
import { checkpointFile } from './checkpoint-file.ts'
import { verifyCheckpoints } from './verify-checkpoints.ts'

export type CheckpointStanding = {
  /** what is wrong with the first checkpoint that does not fit the chain */
  broken: string | null
  /** when the oldest event was written that no checkpoint covers yet */
  uncoveredSince: string | null
  newestEventAt: string | null
}

/** Holds every checkpoint of a tenant against its chain, without walking the events between: enough to see that an end was cut off. */
export async function checkpointStanding(
  { db, dataDir, keys }: { db: Kysely<Database>; dataDir: string; keys: Keys },
  tenantId: string,
): Promise<CheckpointStanding> {
  const file = checkpointFile(dataDir)
  const publicKey = createPublicKey(keys.auditSigning)
  const upTo = Number.POSITIVE_INFINITY
  const { broken, latest } = await verifyCheckpoints({ file, publicKey, db, tenantId, after: 0, upTo })
  const events = db.selectFrom('audit_events').select('at').where('tenant_id', '=', tenantId).limit(1)
  const newest = await events.orderBy('sequence', 'desc').executeTakeFirst()
  const uncovered = await events
    .where('sequence', '>', latest?.sequence ?? 0)
    .orderBy('sequence')
    .executeTakeFirst()
  return {
    broken: broken?.reason ?? null,
    uncoveredSince: uncovered?.at ?? null,
    newestEventAt: newest?.at ?? null,
  }
}
