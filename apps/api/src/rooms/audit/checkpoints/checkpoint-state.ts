import { createPublicKey } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import type { Keys } from '../../../store/files/keys.ts'
import { unprovenBecause } from '../proof.rules.ts'
import { checkpointFile } from './checkpoint-file.ts'
import { readCoverage } from './coverage.queries.ts'
import { recordedSequence } from './recorded-checkpoints.queries.ts'
import { verifyCheckpoints } from './verify-checkpoints.ts'

export type CheckpointState = {
  tenantId: string
  /** the fault of the first checkpoint that does not match the chain; null if there is none */
  broken: string | null
  /** true if the file ends before the newest checkpoint that the store records */
  isCut: boolean
  /** why the checkpoints do not prove the chain, although none contradicts it; null if they do */
  unproven: string | null
}

/**
 * Compares every checkpoint with the chains of these tenants, without reading the events in between. It detects a chain that was truncated, and
 * events that no checkpoint covers.
 */
export async function checkpointStates(
  { db, dataDir, keys }: { db: Kysely<Database>; dataDir: string; keys: Keys },
  tenantIds: readonly string[],
  now: Date,
): Promise<CheckpointState[]> {
  const recorded = new Map<string, number>()
  for (const tenantId of tenantIds) recorded.set(tenantId, await recordedSequence(db, tenantId))
  const publicKey = createPublicKey(keys.auditSigning)
  const outcomes = await verifyCheckpoints({ file: checkpointFile(dataDir), publicKey, db, tenantIds })
  const states: CheckpointState[] = []
  for (const [tenantId, { broken, latest }] of outcomes) {
    const [coveredTo, recordedTo] = [latest?.sequence ?? 0, recorded.get(tenantId) ?? 0]
    const coverage = await readCoverage(db, tenantId, { coveredTo, recordedTo })
    const unproven = unprovenBecause(coverage, now)
    states.push({ tenantId, broken: broken?.reason ?? null, isCut: coveredTo < recordedTo, unproven })
  }
  return states
}

/** Returns the time of the newest event of all chains. */
export async function newestEventAt(db: Kysely<Database>): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`
    SELECT max((SELECT e.at FROM audit_events e WHERE e.tenant_id = t.id ORDER BY e.sequence DESC LIMIT 1)) AS at
    FROM tenants t`.execute(db)
  return rows[0]?.at ?? null
}
