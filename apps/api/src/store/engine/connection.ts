import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'

export type Connection = BetterSqlite3.Database

const CACHE_KIB = 32 * 1024
/** Past this many WAL pages the writer checkpoints by itself; below, the worker thread does it (see background-worker.ts). */
const WAL_BACKSTOP_PAGES = 20_000
/** As large as it becomes by then: what was cut off would be allotted and cleared anew. */
const WAL_KEPT_BYTES = WAL_BACKSTOP_PAGES * (4_096 + 512)

/**
 * Opens the store's file with the settings that its promises rest on. `synchronous=FULL` is set on every connection:
 * WAL would otherwise fall back to NORMAL, and an answered write could be lost with the power.
 * `recursive_triggers` lets the append-only triggers see REPLACE. `secure_delete=FAST` writes zeros over what is deleted or replaced on a
 * page that is written anyway; pages that become free are left to `overwriteFreedPages`.
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
 * Makes the file for whoever runs the service alone, and takes it back from others where an older version left it to them: it holds what
 * every tenant has. SQLite makes the files beside it with the rights of the file itself.
 */
function keepPrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  for (const one of [file, `${file}-wal`, `${file}-shm`]) {
    const found = statSync(one, { throwIfNoEntry: false })
    if (found !== undefined && (found.mode & 0o077) !== 0 && found.uid === process.getuid?.()) chmodSync(one, 0o600)
  }
}

/** From now on a lock is an error at once instead of a wait: waiting inside the driver would hold the event loop. */
export function neverWait(connection: Connection): void {
  connection.pragma('busy_timeout = 0')
}
