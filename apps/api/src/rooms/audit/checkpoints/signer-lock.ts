import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type FileLock, takeLock } from '../../../store/files/file-lock.ts'
import { CHECKPOINT_LOCK_FILE } from '../../../store/files/store-files.ts'

/**
 * Takes the signer's lock. One process signs at a time, because each line of the file contains the hash of the line before. The API has the lock
 * while it runs, so the lock also shows whether a server runs. The system releases it when the process dies. Undefined while another process has it.
 */
export function takeSignerLock(dataDir: string): FileLock | undefined {
  return takeLock(join(dataDir, CHECKPOINT_LOCK_FILE), { alone: true, patienceMs: 0 })
}

/** True if a process signs new events in this data folder. */
export function isServed(dataDir: string): boolean {
  if (!existsSync(join(dataDir, CHECKPOINT_LOCK_FILE))) return false
  const lock = takeSignerLock(dataDir)
  lock?.release()
  return lock === undefined
}
