import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import { createBackground } from './background.ts'
import { neverWait, openConnection } from './connection.ts'
import type { Database } from './database.ts'
import { createInProgress, type InProgress } from './idempotency.ts'
import { type Keys, openKeys } from './keys.ts'
import { kyselyOver } from './kysely-over.ts'
import { migrate } from './migrate.ts'
import { createWriteQueue, type WriteQueue } from './write-queue.ts'

export const STORE_FILE = 'prospect.sqlite'

/** Opening writes, and may wait for a program that is at work on the store. From then on nothing waits inside the driver. */
const OPENING_PATIENCE_MS = 5_000

const PROBE = 'INSERT INTO readiness_probe (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at'

export type Store = {
  dataDir: string
  clock: Clock
  keys: Keys
  /** answers at once: only queries with an index for their filter and sort */
  reader: Kysely<Database>
  /** for whatever may take long: same queries, in a thread of its own */
  background: Kysely<Database>
  /** for `change()` and the other doors alone; rooms reach it as `tx.db` */
  writer: Kysely<Database>
  writes: WriteQueue
  idempotencyInProgress: InProgress
  /** Reads and durably writes one row: whether the store could serve a change now. Throws why not. */
  probe(): Promise<void>
  close(): Promise<void>
}

/** Opens the store of a data folder, or creates it; brings it to this code's schema. One writer, one reader, one reader in the background. */
export function openStore(options: { dataDir: string; clock: Clock }): Store {
  const { dataDir, clock } = options
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, STORE_FILE)
  const writing = openConnection(file, { busyTimeoutMs: OPENING_PATIENCE_MS })
  migrate(writing)
  assertDurable(writing)
  const reading = openConnection(file, { readonly: true, busyTimeoutMs: OPENING_PATIENCE_MS })
  neverWait(writing)
  neverWait(reading)
  const background = createBackground(file)
  const writes = createWriteQueue(writing)
  const writer = kyselyOver(writing)
  return {
    dataDir,
    clock,
    keys: openKeys(dataDir),
    reader: kyselyOver(reading),
    background: background.db,
    writer,
    writes,
    idempotencyInProgress: createInProgress(),
    probe: async () => {
      reading.prepare('SELECT count(*) FROM sqlite_schema').get()
      await writes.write(async () => {
        writing.prepare(PROBE).run(clock().toISOString())
        return { keep: true, value: undefined }
      })
    },
    close: async () => {
      await writes.idle()
      await background.close()
      reading.close()
      writing.close()
    },
  }
}

/** `PRAGMA synchronous` reports FULL before the first write even when it will not hold, so it is asked again after one. */
function assertDurable(connection: ReturnType<typeof openConnection>): void {
  connection.prepare(PROBE).run('')
  const level = Number(connection.pragma('synchronous', { simple: true }))
  if (level < 2) throw new Error(`The store would not be durable: synchronous is ${level}, it must be FULL (2).`)
}
