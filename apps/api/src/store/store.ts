import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import { createLoopBudget, type LoopBudget, type Pace, type Turns } from '../lib/loop-budget.ts'
import type { ChangeStore } from './change/change-store.ts'
import { createInProgress } from './change/idempotency.ts'
import { createLeases, type Leases } from './change/leases.ts'
import { createSignals } from './change/signals.ts'
import { createWriteQueue } from './change/write-queue.ts'
import type { Write } from './change/write-scope.ts'
import type { Database } from './database.ts'
import { type BackgroundOf, createBackground } from './engine/background.ts'
import { type Connection, neverWait, openConnection } from './engine/connection.ts'
import { type FileIdentity, identitiesOf, requireRoomOnDisk, watchPlace } from './engine/failures.ts'
import { kyselyOver } from './engine/kysely-over.ts'
import { createReadTurn } from './engine/read-turn.ts'
import { goOnWithIds } from './engine/rising-ids.ts'
import { newWriteTurn, type WriterPriority } from './engine/writer-priority.ts'
import { enterStore, type OnUpgrade } from './files/enter-store.ts'
import type { FileLock } from './files/file-lock.ts'
import { type Keys, openKeys } from './files/keys.ts'
import { OPENING_PATIENCE_MS } from './files/presence.ts'
import { STORE_FILE } from './files/store-files.ts'
import type { Migration } from './migration.ts'

export { STORE_FILE }

/** Size of the reader's page cache. Every write discards it. With 64 MB a record is read 3 µs faster (docs/performance/lists.md). */
const READER_CACHE_KIB = 32 * 1024
/** Size of the writer's page cache after the migrations, which sort with more. A create is not slower than with 32 MB. */
const WRITER_CACHE_KIB = 16 * 1024
/**
 * Free disk space that the readiness check requires: enough for the write-ahead log of a few of the largest changes. With less space, a large change
 * is refused while a smaller one may succeed.
 */
const ROOM_FOR_CHANGES = 1024 * 1024
const PROBE = 'INSERT INTO readiness_probe (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at'

export type Store = ChangeStore & {
  dataDir: string
  /** the migrations of the store's schema; opening the store applies the missing ones */
  migrations: readonly Migration[]
  /** reader for fast queries, which are those with an index for their filter and sort order */
  reader: Kysely<Database>
  /** changes whenever `reader` may see different rows, written by this process or another */
  version(): number
  /**
   * Returns the reader for a tenant's queries that can take long; null for work of no tenant. It runs in its own thread, which serves tenants in turn.
   * Its queries throw `too_many_waiting` if the tenant's share of the waiting places is used, and `unavailable` if all places are.
   */
  backgroundOf: BackgroundOf
  /** share of the event loop for background work */
  budget: LoopBudget
  /** readers and writers of background work, which wait for their turn of the event loop. `backgroundStore` has them in place of the others. */
  paced: Readonly<Record<Pace, Pick<Store, 'reader' | 'write'>>>
  /** leases for background work that only one process may do at a time */
  leases: Leases
  /** priority for the write lock, shared with a thread that writes to the same store (`openThreadStore`) */
  turn: WriterPriority
  /** identities of the store's open files; `openThreadStore` compares them, because the files may have been replaced since */
  files: readonly FileIdentity[]
  /** Checks that the store can serve a change now: reads and durably writes one row, and checks the free disk space. Throws the reason if not. */
  probe(): Promise<void>
  close(): Promise<void>
}

type OpenOptions = {
  dataDir: string
  clock: Clock
  migrations: readonly Migration[]
  keys?: Keys
  onUpgrade?: OnUpgrade
}

/**
 * Opens the store of a data folder, or creates it, and applies the missing steps of `migrations`. A store has one writer, one reader and one
 * background reader. A job that writes much can have its own writer (`openThreadStore`). `keys`: keys of another folder, to read a backup next to the
 * store from which the backup was made.
 */
export function openStore(options: OpenOptions): Store {
  const { dataDir, migrations, onUpgrade } = options
  makeFolder(dataDir)
  const { writing, presence } = enterStore(dataDir, migrations, onUpgrade)
  try {
    return openParts(writing, presence, options)
  } catch (error) {
    writing.close()
    presence.release()
    throw error
  }
}

/**
 * Returns the store for jobs, followers, upkeep and other loops. Their reads and writes give way to requests: each waits for the turn of background
 * work (`LoopBudget`), so no loop needs pauses of its own. Their queries in the background thread wait in turn and are never refused, because nobody
 * could repeat them. `pace`: `requested` for a job that a person started, which gets more of the event loop.
 */
export function backgroundStore(store: Store, pace: Pace = 'derived'): Store {
  return {
    ...store,
    ...store.paced[pace],
    backgroundOf: (tenantId) => store.backgroundOf(tenantId, { isPatient: true }),
  }
}

/**
 * Creates a folder and its parents. Node's recursive mkdir is not used: it never ends below /proc, and reports a read-only disk as a missing folder.
 */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    makeFolder(dirname(folder))
    mkdirSync(folder, { mode: 0o700 })
  }
}

function openParts(writing: Connection, presence: FileLock, options: OpenOptions): Store {
  const { dataDir, clock, migrations, keys = openKeys(dataDir) } = options
  const file = join(dataDir, STORE_FILE)
  assertDurable(writing)
  const watched = [file, `${file}-wal`]
  const files = identitiesOf(watched)
  const requirePlace = watchPlace(watched, files)
  const reading = openConnection(file, {
    readonly: true,
    busyTimeoutMs: OPENING_PATIENCE_MS,
    cacheKib: READER_CACHE_KIB,
  })
  goOnWithIds(reading)
  writing.pragma(`cache_size = -${WRITER_CACHE_KIB}`)
  neverWait(writing)
  neverWait(reading)
  const background = createBackground(file)
  const readTurn = createReadTurn(reading)
  const turn = newWriteTurn()
  const budget = createLoopBudget()
  const writes = createWriteQueue(writing, { onCommit: readTurn.end, turn, requirePlace })
  const writer = kyselyOver(writing)
  const reader = kyselyOver(reading, readTurn)
  const write: Write = (_scope, work) => writes.write(() => work(writer))
  const pacedBy = (turns: Turns): Pick<Store, 'reader' | 'write'> => ({
    reader: kyselyOver(reading, readTurn, turns),
    // Claims and leases of workers must not wait, because they expire.
    write: (scope, work) => (scope === 'workers' ? write(scope, work) : writes.writeBehind(() => work(writer), turns)),
  })
  const leases = createLeases({ dataDir, clock, reader, write })
  return {
    dataDir,
    migrations,
    clock,
    keys,
    reader,
    version: readTurn.version,
    backgroundOf: background.of,
    write,
    budget,
    paced: { derived: pacedBy(budget.turns.derived), requested: pacedBy(budget.turns.requested) },
    writes,
    signals: createSignals(),
    turn,
    files,
    idempotencyInProgress: createInProgress(),
    leases,
    probe: async () => {
      requirePlace()
      await requireRoomOnDisk(dataDir, ROOM_FOR_CHANGES)
      reading.prepare('SELECT count(*) FROM sqlite_schema').get()
      await writes.write(async () => {
        writing.prepare(PROBE).run(clock().toISOString())
        return { keep: true, value: undefined }
      })
    },
    close: async () => {
      await writes.idle()
      leases.close()
      await background.close()
      reading.close()
      writing.close()
      presence.release()
    },
  }
}

/**
 * Throws if writes would not be durable. Writes first, because before the first write `PRAGMA synchronous` reports FULL even if it will not be
 * applied.
 */
function assertDurable(connection: ReturnType<typeof openConnection>): void {
  connection.prepare(PROBE).run('')
  const level = Number(connection.pragma('synchronous', { simple: true }))
  if (level < 2) throw new Error(`The store would not be durable: synchronous is ${level}, it must be FULL (2).`)
}
