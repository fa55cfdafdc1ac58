import { join } from 'node:path'
import { AppError } from '../../lib/app-error.ts'
import { type FileLock, takeLock } from './file-lock.ts'
import { STORE_LOCK_FILE } from './store-files.ts'

/** Opening writes, and may wait for a program that is at work on the store. From then on nothing waits inside the driver. */
export const OPENING_PATIENCE_MS = 5_000

/** Does the work while nobody else has the store. Errors: `unavailable` when somebody has it and does not leave. */
export function alone<T>(dataDir: string, work: () => T, patienceMs?: number): T {
  const lock = enterAlone(dataDir, patienceMs)
  try {
    return work()
  } finally {
    lock.release()
  }
}

/** The store for oneself, until the lock is released. Errors: `unavailable` when somebody has it and does not leave. */
export function enterAlone(dataDir: string, patienceMs = OPENING_PATIENCE_MS): FileLock {
  const lock = takeLock(join(dataDir, STORE_LOCK_FILE), { alone: true, patienceMs })
  if (lock === undefined) throw storeInUse()
  return lock
}

function storeInUse(): AppError {
  const message =
    'Another program has this store, and it must be had alone for this: the API, or a command, perhaps of another version. Stop it, then try again.'
  return new AppError('unavailable', message, { reason: 'store_in_use' })
}

/** Keeps out whoever wants the store alone. Errors: `unavailable` while somebody has it alone. */
export function enterTogether(dataDir: string, patienceMs = OPENING_PATIENCE_MS): FileLock {
  const lock = takeLock(join(dataDir, STORE_LOCK_FILE), { alone: false, patienceMs })
  if (lock !== undefined) return lock
  const message = 'A restore or a migration has this store to itself. Try again when it is done.'
  throw new AppError('unavailable', message, { reason: 'store_in_use' })
}
