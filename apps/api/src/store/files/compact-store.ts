import { copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { openConnection } from '../engine/connection.ts'
import { requireStore } from './enter-store.ts'
import { replaceStore } from './replace-store.ts'
import { CHECKPOINT_FILE, STORE_FILE } from './store-files.ts'
import { swapStore } from './swap-store.ts'

/** `kept`: the folder of the former files, which hold what was compacted away. */
export type Compacted = { kept: string; bytesBefore: number; bytesAfter: number }

/**
 * Writes the store anew without its free space, and its search index without the letters of what it was told to forget: versions without
 * `secure_delete` left both in the file (docs/decisions/restores.md). Made and checked beside the store, then the two change places as in a restore; a kill leaves one of
 * them, whole. It takes as long as the store is large, and twice its space.
 * Errors: `not_found` without a store, `unavailable` when the API or anything else has it or the disk is full. The store is as it was then.
 */
export async function compactStore(dataDir: string, clock: Clock): Promise<Compacted> {
  requireStore(dataDir)
  return replaceStore(dataDir, { prefix: '.compacting-', clock }, ({ staged, kept }) => {
    const file = join(dataDir, STORE_FILE)
    const bytesBefore = statSync(file).size
    mkdirSync(join(dataDir, staged), { mode: 0o700 })
    writeCompacted(file, join(dataDir, staged, STORE_FILE))
    const checkpoints = join(dataDir, CHECKPOINT_FILE)
    const stagedCheckpoints = join(dataDir, staged, CHECKPOINT_FILE)
    if (existsSync(checkpoints)) copyFileSync(checkpoints, stagedCheckpoints)
    else writeFileSync(stagedCheckpoints, '', { mode: 0o600 })
    swapStore(dataDir, { staged, kept })
    return { kept: join(dataDir, kept), bytesBefore, bytesAfter: statSync(file).size }
  })
}

function writeCompacted(from: string, to: string): void {
  const former = openConnection(from)
  try {
    former.prepare('VACUUM INTO ?').run(to)
  } finally {
    former.close()
  }
  const compacted = openConnection(to)
  try {
    // What the parts of the index leave behind when they are put together is written over as well.
    compacted.pragma('secure_delete = ON')
    compacted.exec(`INSERT INTO business_search_index (business_search_index) VALUES ('optimize')`)
    const damage = compacted.pragma('integrity_check', { simple: true })
    if (damage !== 'ok')
      throw new AppError('unavailable', 'The store is damaged: it was not compacted. Restore a backup.', {
        reason: 'storage_damaged',
      })
  } finally {
    compacted.close()
  }
}
