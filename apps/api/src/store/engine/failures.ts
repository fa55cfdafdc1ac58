import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import BetterSqlite3 from 'better-sqlite3'
import { AppError } from '../../lib/app-error.ts'

const FULL = 'The disk of the store is full. Nothing was changed; free some space and try again.'
const FORBIDDEN =
  'A file of the data folder may not be read or written. Nothing was changed; check whose it is, and what they may do.'
const MOVED =
  'The files of the store were taken from their place while it was open. Nothing was changed; stop the service and follow the runbook.'

/** What the database cannot do right now, in words for the person and a word for the runbook. */
const unavailability: [codePrefix: string, reason: string, message: string][] = [
  [
    'SQLITE_BUSY',
    'database_busy',
    'The database is busy with another program. Nothing was changed; try again in a moment.',
  ],
  [
    'SQLITE_LOCKED',
    'database_busy',
    'The database is busy with another program. Nothing was changed; try again in a moment.',
  ],
  ['SQLITE_FULL', 'storage_full', FULL],
  [
    'SQLITE_READONLY',
    'storage_read_only',
    'The store cannot be written. Nothing was changed; check the file and its folder.',
  ],
  [
    'SQLITE_CORRUPT',
    'storage_damaged',
    'The store is damaged. Nothing was changed; stop the service and follow the runbook.',
  ],
  [
    'SQLITE_NOTADB',
    'storage_damaged',
    'The store is damaged. Nothing was changed; stop the service and follow the runbook.',
  ],
  // The memory that the connections share is a file beside the store: there is no room for it.
  ['SQLITE_IOERR_SHMSIZE', 'storage_full', FULL],
  [
    'SQLITE_IOERR',
    'storage_failed',
    'The disk of the store failed. Nothing was changed; check the disk and try again.',
  ],
  [
    'SQLITE_CANTOPEN',
    'storage_failed',
    'The store cannot be opened. Nothing was changed; check the file and its folder.',
  ],
]

/** The same of files beside it: uploads, exports, checkpoints. */
const unavailabilityOfFiles: typeof unavailability = [
  ['ENOSPC', 'storage_full', FULL],
  ['EDQUOT', 'storage_full', FULL],
  ['EROFS', 'storage_read_only', 'The data folder cannot be written. Nothing was changed; check the disk it is on.'],
  ['EIO', 'storage_failed', 'The disk of the store failed. Nothing was changed; check the disk and try again.'],
  ['EACCES', 'storage_failed', FORBIDDEN],
  ['EPERM', 'storage_failed', FORBIDDEN],
]

/** Turns a failure of the store itself, or of the disk that it is on, into 503 `unavailable`; anything else comes back as it was. */
export function storeFailure(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return error
  const { code } = error
  const kinds = error instanceof BetterSqlite3.SqliteError ? unavailability : unavailabilityOfFiles
  const known = kinds.find(([prefix]) => code.startsWith(prefix))
  if (known === undefined) return error
  const [, reason, message] = known
  return new AppError('unavailable', message, { cause: error, reason })
}

/** Errors: `unavailable` where so little is free that a change may find no room, though a smaller one still might. */
export async function requireRoomOnDisk(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < bytes) throw new AppError('unavailable', FULL, { reason: 'storage_full' })
}

/**
 * Whoever has a file open goes on writing into it when it is renamed or removed: what is answered is then where nobody looks, or
 * gone at the end. Throws `unavailable` where the files are not there, or are not those that were `opened`; so does what it answers
 * once they are not.
 */
export function watchPlace(files: readonly string[], opened = identitiesOf(files)): () => void {
  const requirePlace = () => {
    const isMoved = identitiesOf(files).some((found, index) => found === null || found !== opened[index])
    if (isMoved) throw new AppError('unavailable', MOVED, { reason: 'storage_moved' })
  }
  requirePlace()
  return requirePlace
}

/** By which a file is known whatever it is called; null where none is. */
export type FileIdentity = string | null

export function identitiesOf(files: readonly string[]): readonly FileIdentity[] {
  return files.map((file) => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found === undefined ? null : `${found.dev} ${found.ino}`
  })
}

export function isBusy(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
