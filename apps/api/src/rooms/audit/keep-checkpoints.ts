import { createPublicKey } from 'node:crypto'
import type { Logger } from 'pino'
import { createBreather } from '../../lib/event-loop.ts'
import { CHECKPOINT_FILE } from '../../store/files/store-files.ts'
import type { Store } from '../../store/store.ts'
import {
  appendCheckpointLines,
  checkpointFile,
  cutHalfLine,
  ensureCheckpointFile,
  readCheckpointLines,
} from './checkpoint-file.ts'
import { type Checkpoint, isSignedBy, parseCheckpoint, signCheckpoint } from './checkpoints.ts'
import { missingChainSentence, missingChains } from './missing-chains.ts'

const LOOK_EVERY_MS = 5_000
/** A tenant gets its next checkpoint after so many new events, or after so long when it has any. */
export const CHECKPOINT_EVENTS = 1_000
export const CHECKPOINT_AFTER_MS = 10 * 60_000

type Log = Pick<Logger, 'warn' | 'error'>

/** Signs checkpoints of every tenant's chain as it grows, and once more when stopped. A failure is logged and tried again. */
export function startCheckpoints(store: Store, logger: Log): { stop(): Promise<void> } {
  const checkpointer = createCheckpointer(store, logger)
  let working: Promise<void> = Promise.resolve()
  const then = (work: () => Promise<void>) => {
    working = working
      .then(work)
      .catch((error: unknown) => logger.error({ err: error }, 'signing audit checkpoints failed'))
    return working
  }
  let isIdle = true
  const timer = setInterval(() => {
    if (!isIdle) return
    isIdle = false
    void then(checkpointer.signWhatIsDue).then(() => {
      isIdle = true
    })
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
      return then(checkpointer.signWhatIsNew)
    },
  }
}

export type Checkpointer = { signWhatIsDue(): Promise<void>; signWhatIsNew(): Promise<void> }

export function createCheckpointer(store: Store, logger: Log): Checkpointer {
  const file = checkpointFile(store.dataDir)
  const startedAt = store.clock().getTime()
  let signed: Map<string, { sequence: number; atMs: number }> | undefined

  /** What was signed before this start, after mending what a crash left half done. */
  async function readSigned() {
    await ensureCheckpointFile(file)
    const cutBytes = await cutHalfLine(file)
    if (cutBytes > 0)
      logger.warn({ file: CHECKPOINT_FILE, cutBytes }, 'a checkpoint that a crash left half written was cut off')
    for (const missing of await missingChains({ ...store, db: store.reader }))
      logger.warn({ tenant: missing.tenantId }, missingChainSentence(missing))
    const publicKey = createPublicKey(store.keys.auditSigning)
    const latest = [...(await latestCheckpoints(file)).values()]
    return new Map(
      latest
        .filter((checkpoint) => isSignedBy(publicKey, checkpoint))
        .map(({ tenantId, sequence, at }) => [tenantId, { sequence, atMs: Date.parse(at) }]),
    )
  }

  async function sign(isDue: (newEvents: number, sinceMs: number) => boolean): Promise<void> {
    signed ??= await readSigned()
    const now = store.clock()
    const fresh: Checkpoint[] = []
    for (const { tenant_id: tenantId, sequence, hash } of await newestEvents(store)) {
      const last = signed.get(tenantId) ?? { sequence: 0, atMs: startedAt }
      const newEvents = sequence - last.sequence
      if (newEvents > 0 && isDue(newEvents, now.getTime() - last.atMs)) {
        fresh.push(signCheckpoint(store.keys.auditSigning, { tenantId, sequence, hash, at: now.toISOString() }))
      }
    }
    if (fresh.length === 0) return
    await appendCheckpointLines(
      file,
      fresh.map((checkpoint) => JSON.stringify(checkpoint)),
    )
    for (const { tenantId, sequence } of fresh) signed.set(tenantId, { sequence, atMs: now.getTime() })
  }

  return {
    // A clock that was set back put the last one ahead: nobody waits for that time to come again.
    signWhatIsDue: () =>
      sign((newEvents, sinceMs) => newEvents >= CHECKPOINT_EVENTS || sinceMs >= CHECKPOINT_AFTER_MS || sinceMs < 0),
    signWhatIsNew: () => sign(() => true),
  }
}

async function latestCheckpoints(file: string): Promise<Map<string, Checkpoint>> {
  const latest = new Map<string, Checkpoint>()
  const breathe = createBreather()
  for await (const line of readCheckpointLines(file)) {
    await breathe()
    const checkpoint = parseCheckpoint(line)
    if (checkpoint !== undefined) latest.set(checkpoint.tenantId, checkpoint)
  }
  return latest
}

/** One look-up a tenant. CROSS JOIN: from the tenants to their chains; left to itself SQLite reads all events, and so would grouping them. */
function newestEvents(store: Store) {
  return store.background
    .selectFrom('tenants as t')
    .crossJoin('audit_events as e')
    .whereRef('e.tenant_id', '=', 't.id')
    .where('e.sequence', '=', ({ selectFrom }) =>
      selectFrom('audit_events as newest')
        .select(({ fn }) => fn.max('newest.sequence').as('sequence'))
        .whereRef('newest.tenant_id', '=', 't.id'),
    )
    .select(['e.tenant_id', 'e.sequence', 'e.hash'])
    .execute()
}
