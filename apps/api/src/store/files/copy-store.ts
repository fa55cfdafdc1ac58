import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { askThread } from '../../lib/ask-thread.ts'
import { THREAD_YOUNG_GENERATION_MB } from '../../lib/young-generation.ts'
import { receivedError, type SentError } from '../engine/store-errors.ts'
import { syncWritten } from './durable-files.ts'

/** The hash of the newest event of a tenant's chain, and the newest checkpoint that the store records; a store of an older schema records none. */
export type ChainEnd = { tenantId: string; sequence: number; hash: string; checkpoint?: RecordedCheckpoint }
export type RecordedCheckpoint = { sequence: number; number: number; lineHash: string }

/** What a store says of itself when nobody writes to it. */
export type StoreReport = {
  schemaVersion: number
  /** rows of each table */
  counts: Record<string, number>
  chains: ChainEnd[]
  /** what `integrity_check` and `foreign_key_check` found; nothing when the store is whole */
  damage: string[]
}

export type CopyRequest = { from: string; to: string } | { check: string }
export type CopyAnswer = StoreReport | SentError

/** A tenth of a second of copying is a few megabytes: that much a commit beside it may have to wait for. */
const LOOK_EVERY_MS = 100

/**
 * Copies the store as it is at one moment into a new file, compacted, while others write on; then checks the copy. In a thread
 * of its own, so that the caller can tell how far it is; what is copied goes to the disk all along. Errors: those of the driver (a full disk among them).
 */
export function copyStore(from: string, to: string, onBytes: (bytes: number) => void): Promise<StoreReport> {
  let isLooking = false
  return ask({ from, to }, async () => {
    if (isLooking) return
    isLooking = true
    // What is wrong with the disk is told by the copying itself; this only keeps what is not yet written small.
    await syncWritten(to).catch(() => {})
    onBytes(await sizeOf(to))
    isLooking = false
  })
}

/** Checks a store that nobody has open: integrity, foreign keys, counts and the ends of the chains. */
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

/** Before the copy has begun there is no file. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch {
    return 0
  }
}
