import { createPublicKey } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import { createBreather } from '../../../lib/event-loop.ts'
import { CHECKPOINT_FILE } from '../../../store/files/store-files.ts'
import type { Store } from '../../../store/store.ts'
import { hasHappenedSince } from '../happened-since.ts'
import { CHECKPOINTS_START, isSignedBy, type Link, linkOf, parseCheckpoint, signCheckpoint } from './checkpoint.ts'
import {
  appendCheckpointLines,
  checkpointFile,
  cutHalfLine,
  ensureCheckpointFile,
  readCheckpointLines,
} from './checkpoint-file.ts'
import { listRecordedCheckpoints, recordCheckpoints } from './recorded-checkpoints.queries.ts'
import { signedAtOnce } from './signed-at-once.data.ts'

/** Time after which a tenant with new events gets its next checkpoint. */
export const CHECKPOINT_AFTER_MS = 60_000
/** Number of new events after which the next checkpoint is due earlier, so that few events lie between an event and its checkpoint. */
export const CHECKPOINT_AFTER_EVENTS = 5_000

/** The last checkpoint of a tenant. `lookedTo`: sequence up to which events were searched for one that must be signed at once; there was none. */
type Signed = { sequence: number; atMs: number; lookedTo: number }
type SignerState = { last: Link; signed: Map<string, Signed> }
type NewestEvent = { tenantId: string; sequence: number; hash: string }

export type Checkpointer = {
  /**
   * Signs the events of tenants whose last checkpoint is a minute old or has many events after it, and of tenants in which another process recorded an event that must be signed
   * at once.
   */
  signWhatIsDue(): Promise<void>
  signWhatIsNew(): Promise<void>
  /** signs all new events of these tenants */
  signTenants(tenantIds: readonly string[]): Promise<void>
}

/**
 * Creates the object that appends signed checkpoints to the file and records the newest ones in the store. The caller must have the signer's lock.
 */
export function createCheckpointer(store: Store, logger: Pick<Logger, 'warn'>): Checkpointer {
  const file = checkpointFile(store.dataDir)
  const startedAtMs = store.clock().getTime()
  let state: SignerState | undefined

  async function sign(isDue: (event: NewestEvent, signed: Signed) => boolean | Promise<boolean>): Promise<void> {
    const current = state ?? (await readSignerState(store, file, logger))
    // The state is read again after a failure, because some of several lines may be in the file already.
    state = undefined
    const at = store.clock().toISOString()
    let { last } = current
    const texts: string[] = []
    const rows: Parameters<typeof recordCheckpoints>[1][number][] = []
    for (const event of await newestEvents(store)) {
      const { tenantId, sequence } = event
      const signed = current.signed.get(tenantId) ?? { sequence: 0, atMs: startedAtMs, lookedTo: 0 }
      current.signed.set(tenantId, signed)
      if (sequence <= signed.sequence || !(await isDue(event, signed))) continue
      const { text, link } = signCheckpoint(store.keys.auditSigning, last, { ...event, at })
      texts.push(text)
      rows.push({ tenant_id: tenantId, sequence, signed_at: at, number: link.number, line_hash: link.hash })
      last = link
    }
    if (rows.length > 0) await appendCheckpointLines(file, texts)
    current.last = last
    state = current
    for (const { tenant_id, sequence } of rows)
      current.signed.set(tenant_id, { sequence, atMs: Date.parse(at), lookedTo: sequence })
    if (rows.length > 0) await recordCheckpoints(store, rows)
  }

  return {
    signWhatIsDue: () =>
      sign(async ({ tenantId, sequence }, signed) => {
        const sinceMs = store.clock().getTime() - signed.atMs
        // A negative time means that the clock was set back after the last checkpoint. It is signed now, because waiting could take arbitrarily long.
        if (sinceMs >= CHECKPOINT_AFTER_MS || sinceMs < 0) return true
        if (sequence - signed.sequence >= CHECKPOINT_AFTER_EVENTS) return true
        const after = Math.max(signed.sequence, signed.lookedTo)
        signed.lookedTo = sequence
        return (
          sequence > after && hasHappenedSince(store.backgroundOf(tenantId), tenantId, { after, actions: signedAtOnce })
        )
      }),
    signWhatIsNew: () => sign(() => true),
    signTenants: (tenantIds) => sign(({ tenantId }) => tenantIds.includes(tenantId)),
  }
}

/**
 * Reads the state from which signing continues: the last line, and the signed sequence of each tenant. First removes an incomplete last line that a
 * crash left. The chain of lines continues from the newest checkpoint that the store records. If the process died before the store recorded a later
 * signed line, it continues from that line. If the file lacks a recorded line, the chain of lines has a gap, which verification reports.
 */
async function readSignerState(store: Store, file: string, logger: Pick<Logger, 'warn'>): Promise<SignerState> {
  await ensureCheckpointFile(file)
  const cutBytes = await cutHalfLine(file)
  if (cutBytes > 0)
    logger.warn({ file: CHECKPOINT_FILE, cutBytes }, 'an incomplete checkpoint left by a crash was cut off')
  const recorded = await listRecordedCheckpoints(store.reader)
  const signed = new Map(
    recorded.map(({ tenant_id, sequence, signed_at }) => [
      tenant_id,
      { sequence, atMs: Date.parse(signed_at), lookedTo: sequence },
    ]),
  )
  const newest = recorded.at(-1)
  const state = {
    last: newest === undefined ? CHECKPOINTS_START : { number: newest.number, hash: newest.line_hash },
    signed,
  }
  if (!(await readBehind(store, file, state, newest !== undefined)))
    logger.warn(
      { file: CHECKPOINT_FILE },
      'the file of audit checkpoints lacks the newest one that the store records: lines are missing, and verification of the audit will report it',
    )
  return state
}

/**
 * Number of bytes at the end of the file that are read first, because the newest recorded line is usually there. If it is not, the whole file is
 * read.
 */
const TAIL_BYTES = 1_048_576

/** Reads the lines that follow the last recorded link. Returns false if the file does not contain that link. */
async function readBehind(store: Store, file: string, state: SignerState, isRecorded: boolean): Promise<boolean> {
  const { size } = await stat(file)
  const isInTail = isRecorded && size > TAIL_BYTES && (await readFrom(store, file, state, size - TAIL_BYTES))
  return isInTail || (await readFrom(store, file, state, 0, isRecorded))
}

async function readFrom(
  store: Store,
  file: string,
  state: SignerState,
  from: number,
  isRecorded = true,
): Promise<boolean> {
  const publicKey = createPublicKey(store.keys.auditSigning)
  const breathe = createBreather()
  const recorded = state.last.hash
  let isFound = !isRecorded
  for await (const line of readCheckpointLines(file, from)) {
    await breathe()
    const checkpoint = parseCheckpoint(line)
    if (checkpoint === undefined) continue
    const link = linkOf(line, checkpoint, state.last)
    if (link.hash === recorded) isFound = true
    else if (isFound && isSignedBy(publicKey, checkpoint)) {
      const { tenantId, sequence, at } = checkpoint
      state.last = link
      state.signed.set(tenantId, { sequence, atMs: Date.parse(at), lookedTo: sequence })
    }
  }
  return isFound
}

/**
 * Returns the newest event of each tenant, with one lookup per tenant. The cross join makes SQLite read the tenants first; otherwise it would read
 * all events.
 */
function newestEvents(store: Store): Promise<NewestEvent[]> {
  return store
    .backgroundOf(null)
    .selectFrom('tenants as t')
    .crossJoin('audit_events as e')
    .whereRef('e.tenant_id', '=', 't.id')
    .where('e.sequence', '=', ({ selectFrom }) =>
      selectFrom('audit_events as newest')
        .select(({ fn }) => fn.max('newest.sequence').as('sequence'))
        .whereRef('newest.tenant_id', '=', 't.id'),
    )
    .select(['e.tenant_id as tenantId', 'e.sequence', 'e.hash'])
    .execute()
}
