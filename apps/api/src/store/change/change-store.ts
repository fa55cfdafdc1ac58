import type { Clock } from '../../lib/clock.ts'
import type { Keys } from '../files/keys.ts'
import type { InProgress } from './idempotency.ts'
import type { Signals } from './signals.ts'
import type { WriteQueue } from './write-queue.ts'
import type { Write } from './write-scope.ts'

/** The part of a store that a change uses. The store of a writing thread has it too (`openThreadStore`). */
export type ChangeStore = {
  clock: Clock
  keys: Keys
  write: Write
  writes: Pick<WriteQueue, 'waiting' | 'waitingBehind' | 'commits' | 'idle'>
  signals: Signals
  idempotencyInProgress: InProgress
}
