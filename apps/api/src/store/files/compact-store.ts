import { copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { openConnection } from '../engine/connection.ts'
import { requireStore } from './enter-store.ts'
import { replaceStore } from './replace-store.ts'
import { CHECKPOINT_FILE, STORE_FILE } from './store-files.ts'
import { swapStore } from './swap-store.ts'

/** Result of a compaction. `kept`: folder with the former files, which still contain the removed content. */
export type Compacted = { kept: string; bytesBefore: number; bytesAfter: number }

/**
 * Rewrites the store without its free space, and its search index without deleted text. Versions without `secure_delete` left deleted content in both
 * (docs/decisions/restores.md). The new store is written and checked beside the old one, and then both are exchanged as in a restore, so a kill
 * leaves one complete store. The time is proportional to the size of the store; the disk needs twice its space. Errors: `not_found` without a store;
 * `unavailable` if the API or another process uses the store or the disk is full. After an error the store is unchanged.
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
    // `secure_delete` also overwrites index segments that `optimize` merges and frees.
    compacted.pragma('secure_delete = ON')
    compacted.exec(`INSERT INTO business_search_index (business_search_index) VALUES ('optimize')`)
    const damage = compacted.pragma('integrity_check', { simple: true })
    if (damage !== 'ok')
      throw new AppError('unavailable', 'The store is damaged and was not compacted. Restore a backup.', {
        reason: 'storage_damaged',
      })
  } finally {
    compacted.close()
  }
}
