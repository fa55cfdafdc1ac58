import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { type Asker, type GateMatch, gate } from './gate.ts'
import { countDecisions } from './gate-decisions.ts'
import { type ContactValue, entryKeysFor, recordKeysOf } from './match-keys.rules.ts'

/** Keys of live entries that are held in memory; of a tenant with more the gate is asked about each value. */
const HELD_KEYS = 20_000

/**
 * The gate for whoever has millions of values and a connection of their own: the same answers, and only what a live key could match is
 * looked up. The keys are read again whenever somebody has written to the store, so an entry counts from the moment it is there. Fails
 * closed as the gate does.
 */
export function gateForMany(asker: Asker, tenantId: string): (values: readonly ContactValue[]) => Promise<GateMatch[]> {
  let seenVersion = -1
  let held: ReadonlySet<string> | undefined
  return async (values) => {
    const version = await dataVersion(asker.db)
    if (version !== seenVersion) held = await liveKeys(asker.db, tenantId)
    seenVersion = version
    const keys = held
    if (keys === undefined) return gate(asker, tenantId, values)
    const asked: ContactValue[] = []
    const places: number[] = []
    for (const [index, value] of values.entries()) {
      if (!recordKeysOf(value).some((key) => entryKeysFor(key).some((one) => keys.has(one)))) continue
      asked.push(value)
      places.push(index)
    }
    countDecisions({ clear: values.length - asked.length })
    const matches = await gate(asker, tenantId, asked)
    return matches.map(({ index, suppressionId }) => ({ index: places[index] ?? index, suppressionId }))
  }
}

/** Changes when another connection has committed; read before the keys, so that a commit in between is seen the next time. */
async function dataVersion(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ data_version: number }>`PRAGMA data_version`.execute(db)
  return rows[0]?.data_version ?? -1
}

/** Undefined: too many, or some of them are hashes, by which no key can be told. */
async function liveKeys(db: Kysely<Database>, tenantId: string): Promise<ReadonlySet<string> | undefined> {
  const tombstones =
    await sql`SELECT 1 FROM suppressions WHERE tenant_id = ${tenantId} AND tombstone = 1 LIMIT 1`.execute(db)
  if (tombstones.rows.length > 0) return undefined
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM suppression_keys WHERE tenant_id = ${tenantId} AND live = 1 LIMIT ${HELD_KEYS + 1}`.execute(db)
  return rows.length > HELD_KEYS ? undefined : new Set(rows.map(({ key }) => key))
}
