import type { Logger } from 'pino'
import { every } from '../../../lib/every.ts'
import type { FileLock } from '../../../store/files/file-lock.ts'
import type { Store } from '../../../store/store.ts'
import { type Checkpointer, createCheckpointer } from './checkpointer.ts'
import { missingChainSentence, missingChains } from './missing-chains.ts'
import { signedAtOnce } from './signed-at-once.data.ts'
import { takeSignerLock } from './signer-lock.ts'

const LOOK_EVERY_MS = 5_000
const FAILED = 'signing audit checkpoints failed'

type Log = Pick<Logger, 'warn' | 'error'>

/**
 * Signs checkpoints of every tenant's chain: all new events at the start, those of `signedAtOnce` at once, all others within a minute, and the rest
 * when it stops. Only one of the processes with the store open signs; when it ends, another one takes over. A failure is logged, and the next run tries
 * again.
 */
export function startCheckpoints(store: Store, logger: Log): { stop(): Promise<void> } {
  const lease = store.leases.lease('audit checkpoints')
  let lock: FileLock | undefined
  let checkpointer: Checkpointer | undefined
  let working: Promise<void> = Promise.resolve()
  const withCheckpointer = (work: (signer: Checkpointer) => Promise<void>): Promise<void> => {
    working = working
      .then(async () => {
        if (!(await lease.hold())) return
        lock ??= takeSignerLock(store.dataDir)
        if (lock === undefined) return
        checkpointer ??= createCheckpointer(store, logger)
        await work(checkpointer)
      })
      .catch((error: unknown) => logger.error({ err: error }, FAILED))
    return working
  }

  const urgent = new Set<string>()
  const signAtOnce = (tenantId: string, actions: readonly string[]) => {
    if (!signedAtOnce.some((action) => actions.includes(action))) return
    const isWaiting = urgent.size > 0
    urgent.add(tenantId)
    if (isWaiting) return
    void withCheckpointer(async (signer) => {
      const tenantIds = [...urgent]
      urgent.clear()
      await signer.signTenants(tenantIds)
    })
  }
  store.signals.on('recorded', signAtOnce)

  let hasBegun = false
  const signNext = async (signer: Checkpointer) => {
    if (hasBegun) return signer.signWhatIsDue()
    hasBegun = true
    await signer.signWhatIsNew()
    await warnOfMissingChains(store, logger)
  }
  const loop = every(LOOK_EVERY_MS, () => withCheckpointer(signNext), { log: logger, failed: FAILED })
  return {
    stop: async () => {
      await loop.stop()
      store.signals.off('recorded', signAtOnce)
      await withCheckpointer((signer) => signer.signWhatIsNew())
      lock?.release()
      await lease.release()
    },
  }
}

/** Signs the audit events of a command of the command line. Does nothing while a server runs, because the server signs them. */
export async function signOnce(store: Store, logger: Pick<Logger, 'warn'>): Promise<void> {
  const lock = takeSignerLock(store.dataDir)
  if (lock === undefined) return
  try {
    await createCheckpointer(store, logger).signWhatIsNew()
  } finally {
    lock.release()
  }
}

async function warnOfMissingChains(store: Store, logger: Log): Promise<void> {
  for (const missing of await missingChains({ ...store, db: store.reader }))
    logger.warn({ tenant: missing.tenantId }, missingChainSentence(missing))
}
