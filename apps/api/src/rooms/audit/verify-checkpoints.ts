import type { KeyObject } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createBreather } from '../../lib/event-loop.ts'
import type { Database } from '../../store/database.ts'
import { CHECKPOINT_FILE } from '../../store/files/store-files.ts'
import { type CheckpointLine, readCheckpointLines } from './checkpoint-file.ts'
import { type Checkpoint, isSignedBy, parseCheckpoint } from './checkpoints.ts'

/** Checkpoints whose events are looked up at once. */
const GROUP = 100

export type CheckpointSource = { file: string; publicKey: KeyObject }
type Broken = { sequence: number; reason: string }
type Outcome = { checked: number; latest: { sequence: number; at: string } | null; broken: Broken | null }

/**
 * Checks the tenant's checkpoints of the events after `after` up to `upTo`; a line that is no checkpoint at all could be
 * anybody's and counts whenever the chain is checked from its start. Broken is the one with the lowest sequence.
 */
export async function verifyCheckpoints(
  options: CheckpointSource & { db: Kysely<Database>; tenantId: string; after: number; upTo: number },
): Promise<Outcome> {
  const { file, publicKey, db, tenantId, after, upTo } = options
  const outcome: Outcome = { checked: 0, latest: null, broken: null }
  const breathe = createBreather()
  let group: Checkpoint[] = []
  const compareGroup = async () => {
    const hashes = await hashesOf(db, tenantId, group)
    for (const checkpoint of group) {
      const broken = unlike(checkpoint, hashes.get(checkpoint.sequence))
      if (broken !== undefined) note(outcome, broken)
      else if (outcome.latest === null || checkpoint.sequence >= outcome.latest.sequence) {
        outcome.latest = { sequence: checkpoint.sequence, at: checkpoint.at }
      }
    }
    group = []
  }
  for await (const line of readCheckpointLines(file)) {
    await breathe()
    const checkpoint = parseCheckpoint(line)
    if (checkpoint === undefined) {
      if (after === 0 && !isStillBeingWritten(line)) note(outcome, damaged(line))
      continue
    }
    if (checkpoint.tenantId !== tenantId || checkpoint.sequence <= after || checkpoint.sequence > upTo) continue
    outcome.checked += 1
    if (!isSignedBy(publicKey, checkpoint)) {
      note(outcome, unsigned(line, checkpoint))
      continue
    }
    group.push(checkpoint)
    if (group.length === GROUP) await compareGroup()
  }
  await compareGroup()
  return outcome
}

function note(outcome: Outcome, broken: Broken): void {
  const first = outcome.broken
  if (first === null || first.sequence === 0 || (broken.sequence !== 0 && broken.sequence < first.sequence))
    outcome.broken = broken
}

/** Half a last line is what a crash leaves; it says nothing and is cut off at the next start. */
function isStillBeingWritten({ isWhole }: CheckpointLine): boolean {
  return !isWhole
}

function damaged({ number }: CheckpointLine): Broken {
  return { sequence: 0, reason: `Line ${number} of ${CHECKPOINT_FILE} is damaged.` }
}

function unsigned({ number }: CheckpointLine, { sequence }: Checkpoint): Broken {
  return { sequence, reason: `Line ${number} of ${CHECKPOINT_FILE} does not carry the signature of this server.` }
}

function unlike({ sequence, hash, at }: Checkpoint, found: string | undefined): Broken | undefined {
  if (found === undefined)
    return {
      sequence,
      reason: `Event ${sequence} was there at ${at} and is missing: the end of the history was cut off.`,
    }
  if (found !== hash)
    return {
      sequence,
      reason: `Event ${sequence} is not the one that was signed at ${at}: the history up to it was written anew.`,
    }
  return undefined
}

async function hashesOf(
  db: Kysely<Database>,
  tenantId: string,
  checkpoints: readonly Checkpoint[],
): Promise<Map<number, string>> {
  if (checkpoints.length === 0) return new Map()
  const rows = await db
    .selectFrom('audit_events')
    .select(['sequence', 'hash'])
    .where('tenant_id', '=', tenantId)
    .where(
      'sequence',
      'in',
      checkpoints.map(({ sequence }) => sequence),
    )
    .execute()
  return new Map(rows.map(({ sequence, hash }) => [sequence, hash]))
}
