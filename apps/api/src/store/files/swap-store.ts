import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { syncFile, syncFolder } from './durable-files.ts'
import { CHECKPOINT_FILE, STORE_FILE } from './store-files.ts'

/** Name of the file that marks an unfinished swap. It is in the data folder while a restored store replaces the current one. */
const MARKER = 'swap.json'

/** Files that are exchanged, in this order. The database is last. */
const incoming = [CHECKPOINT_FILE, STORE_FILE] as const
/** Files that belong to the former database only. They must never be beside the new database, because SQLite would replay the old log into it. */
const logs = [`${STORE_FILE}-wal`, `${STORE_FILE}-shm`] as const

const markerSchema = z.object({ staged: z.string(), kept: z.string() })
export type Swap = z.infer<typeof markerSchema>

/**
 * Replaces the store in `dataDir` by the complete store in the folder `staged`, and moves the former files to the folder `kept`. Both are folders
 * within the data folder. As soon as the marker file is durable, the swap will complete despite crashes, because the next process that opens the
 * store finishes it. The caller must have exclusive use of the store.
 */
export function swapStore(dataDir: string, swap: Swap): void {
  for (const name of incoming) syncFile(join(dataDir, swap.staged, name))
  syncFolder(join(dataDir, swap.staged))
  const draft = join(dataDir, `${MARKER}.draft`)
  writeFileSync(draft, JSON.stringify(swap))
  syncFile(draft)
  renameSync(draft, join(dataDir, MARKER))
  syncFolder(dataDir)
  finishSwap(dataDir)
}

export function isSwapUnfinished(dataDir: string): boolean {
  return existsSync(join(dataDir, MARKER))
}

/**
 * Completes a swap. Each step checks the current state, so the swap can be restarted at any point. The caller must have exclusive use of the store.
 */
export function finishSwap(dataDir: string): void {
  const marker = join(dataDir, MARKER)
  const swap = markerSchema.parse(JSON.parse(readFileSync(marker, 'utf8')))
  for (const step of swapSteps(resolve(dataDir), swap)) step()
  unlinkSync(marker)
  syncFolder(dataDir)
  rmSync(join(dataDir, swap.staged), { recursive: true, force: true })
}

/** Returns the steps of a swap in order. A test stops after each of them. */
export function swapSteps(dataDir: string, { staged, kept }: Swap): (() => void)[] {
  const from = (name: string) => join(dataDir, staged, name)
  const keep = (name: string) => {
    if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(dataDir, kept, name))
  }
  return [
    () => mkdirSync(join(dataDir, kept), { recursive: true, mode: 0o700 }),
    ...logs.map((name) => () => {
      // As soon as the new database is in place, a log in this folder belongs to it and is not moved.
      if (existsSync(from(STORE_FILE))) keep(name)
    }),
    ...incoming.map((name) => () => {
      if (existsSync(from(name))) keep(name)
    }),
    () => syncFolder(join(dataDir, kept)),
    ...incoming.map((name) => () => {
      if (existsSync(from(name))) renameSync(from(name), join(dataDir, name))
    }),
    () => syncFolder(dataDir),
  ]
}
