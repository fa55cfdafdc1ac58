import { createPublicKey } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import type { Database } from '../../../store/database.ts'
import type { Keys } from '../../../store/files/keys.ts'
import { type Checkpoint, isSignedBy, parseCheckpoint } from './checkpoint.ts'
import { checkpointFile, readCheckpointLines } from './checkpoint-file.ts'

/**
 * Returns the newest checkpoint of each chain whose tenant is not in the store. Tenants are never deleted, and verification only reads chains of
 * existing tenants. This list is therefore the only sign that a history was removed with its tenant or with the whole store.
 */
export async function missingChains({
  db,
  dataDir,
  keys,
}: {
  db: Kysely<Database>
  dataDir: string
  keys: Keys
}): Promise<Checkpoint[]> {
  const publicKey = createPublicKey(keys.auditSigning)
  const tenantsNow = async () => new Set((await db.selectFrom('tenants').select('id').execute()).map(({ id }) => id))
  const known = await tenantsNow()
  const missing = new Map<string, Checkpoint>()
  const breathe = createBreather()
  for await (const line of readCheckpointLines(checkpointFile(dataDir))) {
    await breathe()
    const checkpoint = parseCheckpoint(line)
    if (checkpoint === undefined || known.has(checkpoint.tenantId) || !isSignedBy(publicKey, checkpoint)) continue
    if (checkpoint.sequence >= (missing.get(checkpoint.tenantId)?.sequence ?? 0))
      missing.set(checkpoint.tenantId, checkpoint)
  }
  if (missing.size === 0) return []
  // Reads the tenants again. A tenant that was created while the file was read may already have a line in it.
  const made = await tenantsNow()
  return [...missing.values()].filter(({ tenantId }) => !made.has(tenantId))
}

export function missingChainSentence({ sequence, at }: Checkpoint): string {
  return `The whole chain is missing; it had ${sequence} events at ${at}.`
}
