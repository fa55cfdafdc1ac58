import BetterSqlite3 from 'better-sqlite3'

/** Kind of a database error, independent of the engine. `other`: an error in the statement. */
export type StoreErrorKind =
  | 'busy'
  | 'full'
  | 'read_only'
  | 'damaged'
  | 'failed'
  | 'cannot_open'
  | 'unique'
  | 'constraint'
  | 'other'

/** The first matching prefix of the driver's code decides. */
const kinds: [codePrefix: string, kind: StoreErrorKind][] = [
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY', 'read_only'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_NOTADB', 'damaged'],
  // Connections share memory in a file beside the store, and the disk has no space for that file.
  ['SQLITE_IOERR_SHMSIZE', 'full'],
  ['SQLITE_IOERR', 'failed'],
  ['SQLITE_CANTOPEN', 'cannot_open'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'unique'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'unique'],
  ['SQLITE_CONSTRAINT', 'constraint'],
]

/** Returns the kind of an error that the database threw; undefined for any other error. */
export function storeErrorKind(error: unknown): StoreErrorKind | undefined {
  if (!(error instanceof BetterSqlite3.SqliteError)) return undefined
  const { code } = error
  return kinds.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'other'
}

/** An error sent by a thread; sending it loses its class. */
export type SentError = { error: string; code: string | null }

export function sentError(error: unknown): SentError {
  return {
    error: error instanceof Error ? error.message : String(error),
    code: error instanceof BetterSqlite3.SqliteError ? error.code : null,
  }
}

/** Restores the error that the thread threw. A database error keeps its kind. */
export function receivedError({ error, code }: SentError): Error {
  return code === null ? new Error(error) : new BetterSqlite3.SqliteError(error, code)
}
