import { join } from 'node:path'
import type { Clock } from '../lib/clock.ts'
import type { ChangeStore } from './change/change-store.ts'
import { createInProgress } from './change/idempotency.ts'
import { createSignals } from './change/signals.ts'
import { createWriteQueue } from './change/write-queue.ts'
import { type Connection, openConnection } from './engine/connection.ts'
import { type FileIdentity, watchPlace } from './engine/failures.ts'
import { kyselyOver } from './engine/kysely-over.ts'
import { goOnWithIds } from './engine/rising-ids.ts'
import type { WriteTurn } from './engine/write-turn.ts'
import type { FileLock } from './files/file-lock.ts'
import { openKeys } from './files/keys.ts'
import { enterTogether } from './files/presence.ts'
import { STORE_FILE } from './files/store-files.ts'

/** Standing still for a short while is cheaper than coming again; whoever is served has the turn by then. */
const WAIT_FOR_LOCK_MS = 1_000
/** What it writes lies together. */
const CACHE_KIB = 16 * 1024

export type ThreadStoreOptions = { dataDir: string; turn: WriteTurn; files: readonly FileIdentity[]; clock: Clock }

export type ThreadStore = ChangeStore & { close(): void }

/**
 * The store of a thread that writes much and serves nobody: `change()` with a connection and a queue of its own, which lets all
 * changes that wait at the program's own store go first (`turn` and `files` are those of the store). Migrates nothing: the store was opened before.
 * Errors: `unavailable` while somebody has the store alone, and where its files were taken from their place.
 */
export function openThreadStore(options: ThreadStoreOptions): ThreadStore {
  const { dataDir, turn, files, clock } = options
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
    // Before it is opened, which would make an empty store where none is, and read another by the log of this one.
    const requirePlace = watchPlace([file, `${file}-wal`], files)
    return { connection: openConnection(file, { busyTimeoutMs: WAIT_FOR_LOCK_MS, cacheKib: CACHE_KIB }), requirePlace }
  } catch (error) {
    presence.release()
    throw error
  }
}
