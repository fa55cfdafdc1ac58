import BetterSqlite3 from 'better-sqlite3'

/** Kind of a database error, independent of the engine. `other`: a fault of the statement. */
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

/** Kinds by prefix of the driver's error code. The first matching prefix decides. */
const kinds: [codePrefix: string, kind: StoreErrorKind][] = [
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY', 'read_only'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_NOTADB', 'damaged'],
  // SQLite has no disk space for its shared-memory file beside the store.
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

/** A database error in the form that a thread can send. Sending an error itself would lose its class. */
export type SentError = { error: string; code: string | null }

export function sentError(error: unknown): SentError {
  return {
    error: error instanceof Error ? error.message : String(error),
    code: error instanceof BetterSqlite3.SqliteError ? error.code : null,
  }
}

/** Restores an error that a thread sent. A database error gets its class and code back. */
export function receivedError({ error, code }: SentError): Error {
  return code === null ? new Error(error) : new BetterSqlite3.SqliteError(error, code)
}
