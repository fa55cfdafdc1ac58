import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { askThread } from '../../lib/ask-thread.ts'
import { THREAD_YOUNG_GENERATION_MB } from '../../lib/young-generation.ts'
import { receivedError, type SentError } from '../engine/store-errors.ts'
import { syncWritten } from './durable-files.ts'

/** The last event of a tenant's chain, and its newest recorded checkpoint. A store of an older schema has no recorded checkpoint. */
export type ChainEnd = { tenantId: string; sequence: number; hash: string; checkpoint?: RecordedCheckpoint }
export type RecordedCheckpoint = { sequence: number; number: number; lineHash: string }

/** Description of a store that no process writes to. */
export type StoreReport = {
  schemaVersion: number
  /** number of rows of each table */
  counts: Record<string, number>
  chains: ChainEnd[]
  /** random id of the store; null before stores had one */
  storeId: string | null
  /** findings of `integrity_check` and `foreign_key_check`; empty for an intact store */
  damage: string[]
}

export type CopyRequest = { from: string; to: string } | { check: string }
export type CopyAnswer = StoreReport | SentError

/** Interval at which a copy is flushed to disk. In a tenth of a second a few megabytes are copied, for which a concurrent commit may have to wait. */
const LOOK_EVERY_MS = 100

/**
 * Copies a snapshot of the store into a new compacted file while others write, and then checks the copy. Runs in a thread, so that the caller can
 * report progress. Copied data is flushed continuously. Errors: those of the driver, including a full disk.
 */
export function copyStore(from: string, to: string, onBytes: (bytes: number) => void): Promise<StoreReport> {
  let isLooking = false
  return ask({ from, to }, async () => {
    if (isLooking) return
    isLooking = true
    // Errors are ignored here, because the copy itself reports a failing disk. The flush only limits the amount of unwritten data.
    await syncWritten(to).catch(() => {})
    onBytes(await sizeOf(to))
    isLooking = false
  })
}

/** Checks a store that no process has open: integrity, foreign keys, counts and the ends of the chains. */
export function checkStore(file: string): Promise<StoreReport> {
  return ask({ check: file })
}

async function ask(request: CopyRequest, look?: () => Promise<void>): Promise<StoreReport> {
  const worker = new Worker(new URL('./copy-worker.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: THREAD_YOUNG_GENERATION_MB },
  })
  const thread = askThread<CopyRequest, CopyAnswer>(worker, {
    lost: (cause) => new Error('The copying thread has ended.', { cause }),
  })
  const timer = look === undefined ? undefined : setInterval(() => void look(), LOOK_EVERY_MS)
  try {
    const answer = await thread.ask(request)
    if ('error' in answer) throw receivedError(answer)
    return answer
  } finally {
    clearInterval(timer)
    await thread.end()
  }
}

/** Returns the size of the file, or 0 if the copy has not created it yet. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch {
    return 0
  }
}
