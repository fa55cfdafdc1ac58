import BetterSqlite3 from 'better-sqlite3'
import { AppError } from '../lib/app-error.ts'

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
  ['SQLITE_FULL', 'storage_full', 'The disk of the store is full. Nothing was changed; free some space and try again.'],
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

/** Turns a failure of the store itself into 503 `unavailable`; anything else comes back as it was. */
export function storeFailure(error: unknown): unknown {
  if (!(error instanceof BetterSqlite3.SqliteError)) return error
  const known = unavailability.find(([prefix]) => error.code.startsWith(prefix))
  if (known === undefined) return error
  const [, reason, message] = known
  return new AppError('unavailable', message, { cause: error, reason })
}

export function isBusy(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
