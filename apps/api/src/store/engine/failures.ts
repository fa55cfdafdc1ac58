import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { AppError } from '../../lib/app-error.ts'
import { type StoreErrorKind, storeErrorKind } from './store-errors.ts'

const FULL = 'The disk of the store is full. Nothing was changed; free some space and try again.'
const FORBIDDEN =
  'A file of the data folder cannot be read or written. Nothing was changed; check its owner and permissions.'
const MOVED =
  'The files of the store were moved while it was open. Nothing was changed; stop the service and follow the runbook.'

const BUSY = 'The database is busy with another program. Nothing was changed; try again in a moment.'
const DAMAGED = 'The store is damaged. Nothing was changed; stop the service and follow the runbook.'

type Unavailability = [reason: string, message: string]

/** Failures of the database by kind: a reason that the runbook explains, and a message for the user. */
const ofStore: Partial<Record<StoreErrorKind, Unavailability>> = {
  busy: ['database_busy', BUSY],
  full: ['storage_full', FULL],
  read_only: ['storage_read_only', 'The store cannot be written. Nothing was changed; check the file and its folder.'],
  damaged: ['storage_damaged', DAMAGED],
  failed: ['storage_failed', 'The disk of the store failed. Nothing was changed; check the disk and try again.'],
  cannot_open: ['storage_failed', 'The store cannot be opened. Nothing was changed; check the file and its folder.'],
}

/** Failures of files outside the database (uploads, exports, checkpoints) by the system's error code. */
const ofFiles: Partial<Record<string, Unavailability>> = {
  ENOSPC: ['storage_full', FULL],
  EDQUOT: ['storage_full', FULL],
  EROFS: ['storage_read_only', 'The data folder cannot be written. Nothing was changed; check the disk it is on.'],
  EIO: ['storage_failed', 'The disk of the store failed. Nothing was changed; check the disk and try again.'],
  EACCES: ['storage_failed', FORBIDDEN],
  EPERM: ['storage_failed', FORBIDDEN],
}

/** Converts a failure of the store or of its disk into 503 `unavailable`; returns any other error unchanged. */
export function storeFailure(error: unknown): unknown {
  const found = unavailabilityOf(error)
  if (found === undefined) return error
  const [reason, message] = found
  return new AppError('unavailable', message, { cause: error, reason })
}

function unavailabilityOf(error: unknown): Unavailability | undefined {
  const kind = storeErrorKind(error)
  if (kind !== undefined) return ofStore[kind]
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? ofFiles[error.code] : undefined
}

/** Requires enough free disk space for a change of this size. Errors: `unavailable`. */
export async function requireRoomOnDisk(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < bytes) throw new AppError('unavailable', FULL, { reason: 'storage_full' })
}

/**
 * Throws `unavailable` if the files are missing or are not the ones `opened`. An open file can be renamed or removed and still be written, so
 * acknowledged changes would be in the wrong place or lost. The returned function repeats the check.
 */
export function watchPlace(files: readonly string[], opened = identitiesOf(files)): () => void {
  const requirePlace = () => {
    const isMoved = identitiesOf(files).some((found, index) => found === null || found !== opened[index])
    if (isMoved) throw new AppError('unavailable', MOVED, { reason: 'storage_moved' })
  }
  requirePlace()
  return requirePlace
}

/** Identity of a file that does not depend on its name; null if the file is missing. */
export type FileIdentity = string | null

export function identitiesOf(files: readonly string[]): readonly FileIdentity[] {
  return files.map((file) => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found === undefined ? null : `${found.dev} ${found.ino}`
  })
}
