import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type FileLock, takeLock } from '../../../store/files/file-lock.ts'
import { CHECKPOINT_LOCK_FILE } from '../../../store/files/store-files.ts'

/**
 * Takes the lock of the process that signs checkpoints; returns undefined while another process has it. Only one process may sign at a time, because
 * each line of the file contains the hash of the previous line. The API has the lock while it runs, so the lock also shows whether a server runs. The
 * system releases the lock when the process dies.
 */
export function takeSignerLock(dataDir: string): FileLock | undefined {
  return takeLock(join(dataDir, CHECKPOINT_LOCK_FILE), { alone: true, patienceMs: 0 })
}

/** True if a running process signs new events in this data folder. */
export function isServed(dataDir: string): boolean {
  if (!existsSync(join(dataDir, CHECKPOINT_LOCK_FILE))) return false
  const lock = takeSignerLock(dataDir)
  lock?.release()
  return lock === undefined
}
