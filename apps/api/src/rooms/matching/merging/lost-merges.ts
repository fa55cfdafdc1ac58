import type { Logger } from 'pino'
import type { Loop } from '../../../lib/every.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import type { Store } from '../../../store/store.ts'
import { endLostAttempts } from './merge-attempts.ts'

/** Interval at which interrupted merges are searched and ended. */
const LOOK_FOR_LOST_MS = 60_000

/** Ends interrupted merges at the start and then once a minute. */
export function startEndingLostMerges(store: Store, log: Pick<Logger, 'error'>): Loop {
  return everyInOneProcess(store, {
    name: 'lost merges',
    ms: LOOK_FOR_LOST_MS,
    work: () => endLostAttempts(store),
    log,
    failed: 'failed to end interrupted merges',
  })
}
