import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'

export type Connection = BetterSqlite3.Database

const CACHE_KIB = 32 * 1024
/** Number of WAL pages above which the writer runs a checkpoint itself. Below it, the worker thread runs checkpoints (background-worker.ts). */
const WAL_BACKSTOP_PAGES = 20_000
/**
 * Size to which the write-ahead log is truncated. It is the size that the log reaches before a checkpoint, because smaller files would have to be
 * extended and cleared again.
 */
const WAL_KEPT_BYTES = WAL_BACKSTOP_PAGES * (4_096 + 512)

/**
 * Opens the store's file with the settings that its guarantees depend on. `synchronous=FULL` is set on every connection: WAL would otherwise fall
 * back to NORMAL, and a power loss could lose an acknowledged write. `recursive_triggers` makes the append-only triggers apply to REPLACE.
 * `secure_delete=FAST` overwrites deleted or replaced content with zeros on pages that are written anyway; `overwriteFreedPages` overwrites the pages
 * that become free.
 */
export function openConnection(
  file: string,
  options: { readonly?: boolean; busyTimeoutMs?: number; cacheKib?: number; mustExist?: boolean } = {},
): Connection {
  if (!options.readonly && !options.mustExist) keepPrivate(file)
  const connection = new BetterSqlite3(file, {
    readonly: options.readonly ?? false,
    timeout: options.busyTimeoutMs ?? 0,
    fileMustExist: options.mustExist ?? false,
  })
  if (!options.readonly) connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('recursive_triggers = ON')
  connection.pragma('secure_delete = FAST')
  connection.pragma('trusted_schema = OFF')
  connection.pragma('temp_store = MEMORY')
  connection.pragma(`cache_size = -${options.cacheKib ?? CACHE_KIB}`)
  connection.pragma(`wal_autocheckpoint = ${WAL_BACKSTOP_PAGES}`)
  connection.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`)
  return connection
}

/**
 * Restricts access to the store's files to the service's user, because they contain the data of every tenant. Creates the file if it is missing, and
 * removes access that an older version granted to others. SQLite creates its side files with the same permissions.
 */
function keepPrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  for (const one of [file, `${file}-wal`, `${file}-shm`]) {
    const found = statSync(one, { throwIfNoEntry: false })
    if (found !== undefined && (found.mode & 0o077) !== 0 && found.uid === process.getuid?.()) chmodSync(one, 0o600)
  }
}

/** Makes a lock an immediate error, because waiting inside the driver would block the event loop. */
export function neverWait(connection: Connection): void {
  connection.pragma('busy_timeout = 0')
}
