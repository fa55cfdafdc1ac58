import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { syncFile, syncFolder } from './durable-files.ts'
import { CHECKPOINT_FILE, STORE_FILE } from './store-files.ts'

/** Stands in the data folder while a restored store takes the place of the present one. */
const MARKER = 'swap.json'

/** What takes a place, in this order: the database last. */
const incoming = [CHECKPOINT_FILE, STORE_FILE] as const
/** What belongs to the former database alone, and must never meet the new one: SQLite would play its log into it. */
const logs = [`${STORE_FILE}-wal`, `${STORE_FILE}-shm`] as const

const markerSchema = z.object({ staged: z.string(), kept: z.string() })
export type Swap = z.infer<typeof markerSchema>

/**
 * Puts the store that lies whole in the folder `staged` into the place of the one in `dataDir`, whose files go to the folder `kept`.
 * Both are folders within the data folder. From the moment when the marker is durable it will happen, whatever dies: whoever opens
 * the store next finishes it. The caller holds the store alone.
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

/** Each step looks at what is there, so that the whole may be begun anew at any point. The caller holds the store alone. */
export function finishSwap(dataDir: string): void {
  const marker = join(dataDir, MARKER)
  const swap = markerSchema.parse(JSON.parse(readFileSync(marker, 'utf8')))
  for (const step of swapSteps(resolve(dataDir), swap)) step()
  unlinkSync(marker)
  syncFolder(dataDir)
  rmSync(join(dataDir, swap.staged), { recursive: true, force: true })
}

/** For the test that stops after each of them. */
export function swapSteps(dataDir: string, { staged, kept }: Swap): (() => void)[] {
  const from = (name: string) => join(dataDir, staged, name)
  const keep = (name: string) => {
    if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(dataDir, kept, name))
  }
  return [
    () => mkdirSync(join(dataDir, kept), { recursive: true, mode: 0o700 }),
    ...logs.map((name) => () => {
      // Once the new database is in its place, no log is the former one's.
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
