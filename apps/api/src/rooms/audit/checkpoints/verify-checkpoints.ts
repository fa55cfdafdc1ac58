import type { KeyObject } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { rowsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { CHECKPOINT_FILE } from '../../../store/files/store-files.ts'
import type { Checkpoint, Link } from './checkpoint.ts'
import { walkCheckpoints } from './walk-checkpoints.ts'

/** Number of checkpoints whose events one query looks up. */
const GROUP = 100

export type CheckpointSource = { file: string; publicKey: KeyObject }
/** A fault. `sequence`: that of the broken event; 0 if the checkpoint file is damaged. */
export type Broken = { sequence: number; reason: string }
export type CheckpointOutcome = {
  checked: number
  latest: { sequence: number; at: string } | null
  broken: Broken | null
}
/** The newest checkpoint of a chain according to a copy that is stored elsewhere. */
export type KnownCheckpoint = Link & { tenantId: string; sequence: number }

type Options = CheckpointSource & {
  db: Kysely<Database>
  tenantIds: readonly string[]
  /** checkpoints that must be in the file */
  known?: readonly KnownCheckpoint[]
}

/**
 * Reads the whole file once. Verifies its chain of lines and its signatures, and compares every checkpoint of these tenants with the event that it
 * names. Returns for each tenant the fault with the lowest sequence, or damage of the file if no event is broken.
 */
export async function verifyCheckpoints(options: Options): Promise<Map<string, CheckpointOutcome>> {
  const { file, publicKey, db, tenantIds, known = [] } = options
  const outcomes = new Map<string, CheckpointOutcome>(
    tenantIds.map((tenantId) => [tenantId, { checked: 0, latest: null, broken: null }]),
  )
  const missing = new Map(known.map((checkpoint) => [checkpoint.number, checkpoint]))
  let group: Checkpoint[] = []
  let isDamaged = false
  const compareGroup = async () => {
    const hashes = await hashesOf(db, group)
    for (const checkpoint of group) {
      const outcome = outcomes.get(checkpoint.tenantId)
      if (outcome !== undefined) compare(outcome, checkpoint, hashes.get(nameOf(checkpoint)))
    }
    group = []
  }
  for await (const { checkpoint, link, isSigned, fault } of walkCheckpoints(file, publicKey)) {
    if (missing.get(link.number)?.hash === link.hash) missing.delete(link.number)
    const outcome = checkpoint && outcomes.get(checkpoint.tenantId)
    if (outcome !== undefined) outcome.checked += 1
    if (checkpoint !== undefined && !isSigned) {
      if (outcome !== undefined) note(outcome, { sequence: checkpoint.sequence, reason: fault ?? '' })
      continue
    }
    if (fault !== null && !isDamaged) {
      for (const one of outcomes.values()) note(one, { sequence: 0, reason: fault })
      isDamaged = true
    }
    if (checkpoint === undefined || outcome === undefined) continue
    group.push(checkpoint)
    if (group.length === GROUP) await compareGroup()
  }
  await compareGroup()
  for (const { tenantId, sequence } of missing.values()) {
    const outcome = outcomes.get(tenantId)
    if (outcome !== undefined) note(outcome, lacking(sequence))
  }
  return outcomes
}

function compare(outcome: CheckpointOutcome, checkpoint: Checkpoint, found: string | undefined): void {
  const { sequence, at } = checkpoint
  const broken = unlike(checkpoint, found)
  if (broken !== undefined) note(outcome, broken)
  else if (sequence >= (outcome.latest?.sequence ?? 0)) outcome.latest = { sequence, at }
}

/** Stores a fault if it comes before the stored one. A broken event comes before damage of the file. */
function note(outcome: CheckpointOutcome, broken: Broken): void {
  const rank = ({ sequence }: Broken) => (sequence === 0 ? Number.POSITIVE_INFINITY : sequence)
  if (outcome.broken === null || rank(broken) < rank(outcome.broken)) outcome.broken = broken
}

function unlike({ sequence, hash, at }: Checkpoint, found: string | undefined): Broken | undefined {
  if (found === undefined)
    return {
      sequence,
      reason: `Event ${sequence} existed at ${at} and is missing: the end of the history was cut off.`,
    }
  if (found !== hash)
    return {
      sequence,
      reason: `Event ${sequence} is not the one that was signed at ${at}: the history up to it was rewritten.`,
    }
  return undefined
}

function lacking(sequence: number): Broken {
  return { sequence: 0, reason: `The copy has a checkpoint of event ${sequence}, which ${CHECKPOINT_FILE} lacks.` }
}

const nameOf = ({ tenantId, sequence }: Pick<Checkpoint, 'tenantId' | 'sequence'>) => `${tenantId} ${sequence}`

/** Returns the hashes of the events that these checkpoints name, as far as the events exist. */
async function hashesOf(db: Kysely<Database>, checkpoints: readonly Checkpoint[]): Promise<Map<string, string>> {
  if (checkpoints.length === 0) return new Map()
  const wanted = checkpoints.map(({ tenantId, sequence }) => ({ tenantId, sequence }))
  const { rows } = await sql<{ tenantId: string; sequence: number; hash: string }>`
    SELECT e.tenant_id AS "tenantId", e.sequence, e.hash FROM ${rowsOf(wanted, 'one', { tenantId: 'text', sequence: 'integer' })}
      ${thenJoin} audit_events e ON e.tenant_id = one."tenantId" AND e.sequence = one.sequence`.execute(db)
  return new Map(rows.map((row) => [nameOf(row), row.hash]))
}
