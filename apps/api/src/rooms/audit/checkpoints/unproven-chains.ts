import { stat } from 'node:fs/promises'
import { sha256 } from '../../../lib/hashing.ts'
import type { Store } from '../../../store/store.ts'
import { unprovenBecause } from '../proof.rules.ts'
import { checkpointFile, readCheckpointLines } from './checkpoint-file.ts'
import { readCoverage } from './coverage.queries.ts'
import { listRecordedCheckpoints } from './recorded-checkpoints.queries.ts'

/** Number of bytes at the end of the file that are searched for the newest recorded line. Few lines follow it before they are recorded too. */
const TAIL_BYTES = 64 * 1024

/**
 * Counts the chains that the checkpoints do not prove, cheaply enough for monitoring: it trusts the checkpoints that the store records, as long as the
 * newest of them is at the end of the file. A verification reads the whole file and also finds lines that contradict a chain.
 */
export async function countUnprovenChains(store: Store): Promise<number> {
  const db = store.backgroundOf(null)
  const recorded = await listRecordedCheckpoints(db)
  const newest = recorded.at(-1)
  const isInFile = newest === undefined || (await endsWithLine(checkpointFile(store.dataDir), newest.line_hash))
  const sequences = new Map(recorded.map(({ tenant_id, sequence }) => [tenant_id, sequence]))
  let count = 0
  for (const { id } of await db.selectFrom('tenants').select('id').execute()) {
    const recordedTo = sequences.get(id) ?? 0
    const coverage = await readCoverage(db, id, { coveredTo: isInFile ? recordedTo : 0, recordedTo })
    if (unprovenBecause(coverage, store.clock()) !== null) count += 1
  }
  return count
}

async function endsWithLine(file: string, hash: string): Promise<boolean> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  for await (const { text } of readCheckpointLines(file, Math.max(0, size - TAIL_BYTES)))
    if (text !== undefined && sha256(text) === hash) return true
  return false
}
