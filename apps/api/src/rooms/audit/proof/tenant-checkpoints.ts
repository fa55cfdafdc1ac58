import { createBreather } from '../../../lib/event-loop.ts'
import { type Checkpoint, parseCheckpoint } from '../checkpoints/checkpoint.ts'
import { checkpointFile, readCheckpointLines } from '../checkpoints/checkpoint-file.ts'

export type TenantCheckpoint = { text: string; checkpoint: Checkpoint }

/** Yields the checkpoints of a tenant in the order of the file. It verifies no signature, because that takes longer than reading. */
export async function* readTenantCheckpoints(dataDir: string, tenantId: string): AsyncGenerator<TenantCheckpoint> {
  const breathe = createBreather()
  for await (const line of readCheckpointLines(checkpointFile(dataDir))) {
    await breathe()
    if (line.text?.includes(tenantId) !== true) continue
    const checkpoint = parseCheckpoint(line)
    if (checkpoint?.tenantId === tenantId) yield { text: line.text, checkpoint }
  }
}
