import { join } from 'node:path'
import { AppError } from '../../lib/app-error.ts'
import { type FileLock, takeLock } from './file-lock.ts'
import { STORE_LOCK_FILE } from './store-files.ts'

/** Time that opening waits for another program that uses the store, because opening writes to it. After opening, the driver never waits. */
export const OPENING_PATIENCE_MS = 5_000

/** Runs `work` with exclusive use of the store. Errors: `unavailable` if another process has it open and does not release it. */
export function alone<T>(dataDir: string, work: () => T, patienceMs?: number): T {
  const lock = enterAlone(dataDir, patienceMs)
  try {
    return work()
  } finally {
    lock.release()
  }
}

/** Takes exclusive use of the store until the lock is released. Errors: `unavailable` if another process has it open and does not release it. */
export function enterAlone(dataDir: string, patienceMs = OPENING_PATIENCE_MS): FileLock {
  const lock = takeLock(join(dataDir, STORE_LOCK_FILE), { alone: true, patienceMs })
  if (lock === undefined) throw storeInUse()
  return lock
}

function storeInUse(): AppError {
  const message =
    'Another program uses this store, and this operation needs exclusive use: the API, or a command, perhaps of another version. Stop it, then try again.'
  return new AppError('unavailable', message, { reason: 'store_in_use' })
}

/** Takes shared use of the store, which excludes exclusive use. Errors: `unavailable` during exclusive use by another process. */
export function enterTogether(dataDir: string, patienceMs = OPENING_PATIENCE_MS): FileLock {
  const lock = takeLock(join(dataDir, STORE_LOCK_FILE), { alone: false, patienceMs })
  if (lock !== undefined) return lock
  const message = 'A restore or a migration has exclusive use of this store. Try again when it is done.'
  throw new AppError('unavailable', message, { reason: 'store_in_use' })
}
