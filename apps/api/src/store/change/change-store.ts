import type { Kysely } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import type { Database } from '../database.ts'
import type { Keys } from '../files/keys.ts'
import type { InProgress } from './idempotency.ts'
import type { WriteQueue } from './write-queue.ts'

/** Of a store what a change takes: a thread that writes beside the one that serves has as much (`openThreadStore`). */
export type ChangeStore = {
  clock: Clock
  keys: Keys
  /** for `change()` and the other doors alone; rooms reach it as `tx.db` */
  writer: Kysely<Database>
  writes: WriteQueue
  idempotencyInProgress: InProgress
}
