import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import type { ChangeStore } from './change/change-store.ts'
import { createInProgress } from './change/idempotency.ts'
import { createSignals } from './change/signals.ts'
import { createWriteQueue } from './change/write-queue.ts'
import type { Database } from './database.ts'
import { type Connection, openConnection } from './engine/connection.ts'
import { type FileIdentity, watchPlace } from './engine/failures.ts'
import { kyselyOver } from './engine/kysely-over.ts'
import { goOnWithIds } from './engine/rising-ids.ts'
import type { WriterPriority } from './engine/writer-priority.ts'
import type { FileLock } from './files/file-lock.ts'
import { openKeys } from './files/keys.ts'
import { enterTogether } from './files/presence.ts'
import { STORE_FILE } from './files/store-files.ts'
import { openReading, type ThreadReading, type ThreadRows } from './thread-rows.ts'

/** Time that a writing thread waits for the write lock. It serves no requests, so it waits inside the driver instead of retrying. */
const WAIT_FOR_LOCK_MS = 1_000
/** Size of a writing thread's page cache. It can be small, because the pages that such a thread changes are adjacent. */
const WRITING_CACHE_KIB = 16 * 1024

/** Input of a writing thread. `turn` and `files` come from the main thread's store. */
export type ThreadWriting = { dataDir: string; turn: WriterPriority; files: readonly FileIdentity[]; clock: Clock }

export type ThreadStore = ChangeStore & { close(): void }

export type ThreadReader = Pick<ThreadRows, 'holdView' | 'close'> & { db: Kysely<Database> }

/**
 * Opens the store for a worker thread. The main thread must have opened, and so migrated, the store before.
 *
 * For a thread that writes much and serves no requests (options with `turn`): returns a store for `change()` with its own connection and queue. It
 * gives priority to pending changes of the main thread's store. Errors: `unavailable` while another program has exclusive use of the store, and if
 * its files were moved.
 *
 * For a thread that reads (options with `cacheKib`): returns a read-only connection. `openThreadRows` serves a thread that reads by SQL text only.
 */
export function openThreadStore(options: ThreadWriting): ThreadStore
export function openThreadStore(options: ThreadReading): ThreadReader
export function openThreadStore(options: ThreadWriting | ThreadReading): ThreadStore | ThreadReader {
  return 'cacheKib' in options ? openReader(options) : openWriting(options)
}

function openReader(options: ThreadReading): ThreadReader {
  const connection = openReading(options)
  return {
    db: kyselyOver(connection),
    holdView: () => connection.exec('BEGIN'),
    close: () => connection.close(),
  }
}

function openWriting({ dataDir, turn, files, clock }: ThreadWriting): ThreadStore {
  const keys = openKeys(dataDir)
  const presence = enterTogether(dataDir)
  const { connection, requirePlace } = openBehind(presence, join(dataDir, STORE_FILE), files)
  goOnWithIds(connection)
  const writer = kyselyOver(connection)
  const writes = createWriteQueue(connection, { turn, requirePlace, givesWay: true })
  return {
    clock,
    keys,
    write: (_scope, work) => writes.write(() => work(writer)),
    writes,
    signals: createSignals(),
    idempotencyInProgress: createInProgress(),
    close: () => {
      connection.close()
      presence.release()
    },
  }
}

function openBehind(
  presence: FileLock,
  file: string,
  files: readonly FileIdentity[],
): { connection: Connection; requirePlace: () => void } {
  try {
    // Checks the files before opening them. Opening would create a missing store, or apply the log of this store to another one.
    const requirePlace = watchPlace([file, `${file}-wal`], files)
    return {
      connection: openConnection(file, { busyTimeoutMs: WAIT_FOR_LOCK_MS, cacheKib: WRITING_CACHE_KIB }),
      requirePlace,
    }
  } catch (error) {
    presence.release()
    throw error
  }
}
