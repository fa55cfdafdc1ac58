import { createPublicKey } from 'node:crypto'
import { createBreather } from '../../../lib/event-loop.ts'
import type { Store } from '../../../store/store.ts'
import { isSignedBy, parseCheckpoint } from '../checkpoints/checkpoint.ts'
import { checkpointFile, readCheckpointLines } from '../checkpoints/checkpoint-file.ts'

export type TenantCheckpoint = { text: string; sequence: number; hash: string }

/** Yields the signed checkpoints of a tenant in the order of the file. */
export async function* readTenantCheckpoints(
  { dataDir, keys }: Store,
  tenantId: string,
): AsyncGenerator<TenantCheckpoint> {
  const publicKey = createPublicKey(keys.auditSigning)
  const breathe = createBreather()
  for await (const line of readCheckpointLines(checkpointFile(dataDir))) {
    await breathe()
    if (line.text?.includes(tenantId) !== true) continue
    const checkpoint = parseCheckpoint(line)
    if (checkpoint?.tenantId !== tenantId || !isSignedBy(publicKey, checkpoint)) continue
    yield { text: line.text, sequence: checkpoint.sequence, hash: checkpoint.hash }
  }
}
