import { createBreather } from '../../../lib/event-loop.ts'
import { sha256 } from '../../../lib/hashing.ts'
import type { Store } from '../../../store/store.ts'
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts'
import { checkpointFile, readCheckpointLines } from './checkpoint-file.ts'
import { findRecordedCheckpoint } from './recorded-checkpoints.queries.ts'

export type AuditCheckpoint = Checkpoint

/**
 * Returns the newest signed checkpoint of a tenant's chain, as its line in the file states it. Null without a checkpoint, and if the file does not
 * contain the line that the store records: a verification then reports what is wrong.
 */
export async function newestCheckpoint(store: Store, tenantId: string): Promise<AuditCheckpoint | null> {
  const recorded = (await findRecordedCheckpoint(store.reader, tenantId))?.line_hash
  if (recorded === undefined) return null
  const breathe = createBreather()
  for await (const line of readCheckpointLines(checkpointFile(store.dataDir))) {
    await breathe()
    if (line.text === undefined || sha256(line.text) !== recorded) continue
    const checkpoint = parseCheckpoint(line)
    return checkpoint?.tenantId === tenantId ? checkpoint : null
  }
  return null
}
