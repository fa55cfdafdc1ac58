import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type FileLock, takeLock } from '../../../store/files/file-lock.ts'
import { CHECKPOINT_LOCK_FILE } from '../../../store/files/store-files.ts'

/**
 * One process signs at a time: each line of the file holds the hash of the one before, which two would not agree on. The API holds the lock while it
 * runs, so it also says whether a server runs. The system releases it when its holder dies. Undefined while somebody has it.
 */
export function takeSignerLock(dataDir: string): FileLock | undefined {
  return takeLock(join(dataDir, CHECKPOINT_LOCK_FILE), { alone: true, patienceMs: 0 })
}

/** Whether a process signs what is new in this data folder. */
export function isServed(dataDir: string): boolean {
  if (!existsSync(join(dataDir, CHECKPOINT_LOCK_FILE))) return false
  const lock = takeSignerLock(dataDir)
  lock?.release()
  return lock === undefined
}
