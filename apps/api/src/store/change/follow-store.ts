import type { Loop } from '../../lib/every.ts'
import type { Store } from '../store.ts'
import { everyInOneProcess, type OneLoop } from './leases.ts'

/** Interval of the check for new commits. A follower starts a round at most this long after a commit. */
const LOOK_EVERY_MS = 300
/** Pause after a failed round, so that a persistent failure does not fill the log or occupy the event loop. */
const AFTER_FAILURE_MS = 10_000

type Follower = Omit<OneLoop, 'ms'> & {
  /** interval of additional rounds without a commit, for work that also depends on the time; by default there are none */
  alsoEveryMs?: number
  afterFailureMs?: number
}

/**
 * Calls `work` whenever something was committed since its last round, in only one of all processes that have the store open. A failed round is logged
 * and repeated after `afterFailureMs`. `work` must store its own position, so that a crash loses no change.
 */
export function followStore(
  store: Pick<Store, 'leases' | 'version'>,
  { alsoEveryMs = Number.POSITIVE_INFINITY, afterFailureMs = AFTER_FAILURE_MS, work, ...loop }: Follower,
): Loop {
  let seenVersion = -1
  let dueAt = 0
  let restsUntil = 0
  return everyInOneProcess(store, {
    ...loop,
    ms: LOOK_EVERY_MS,
    work: async (isStopped) => {
      const now = performance.now()
      const version = store.version()
      if (now < restsUntil || (version === seenVersion && now < dueAt)) return
      seenVersion = version
      dueAt = now + alsoEveryMs
      try {
        await work(isStopped)
      } catch (error) {
        seenVersion = -1
        restsUntil = performance.now() + afterFailureMs
        throw error
      }
    },
  })
}
