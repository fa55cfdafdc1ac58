import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { createEntryPlaces, type EntryPlaces } from './entry-places.rules.ts'
import { type Asker, type GateMatch, gate } from './gate.ts'
import { type ContactValue, placeOf, placeOfNormalized, type ReadContact, recordKeysOf } from './match-keys.rules.ts'

/** Keys of live entries that are held in memory; of a tenant with more the gate is asked about each value. */
const HELD_KEYS = 20_000

export type GateForMany = {
  /** To be asked before each stretch of values: an entry counts from the next stretch behind its commit. */
  prepare(): Promise<void>
  /** Whether a live entry could match, told from memory. False is certain. */
  mayMatch(value: ReadContact): boolean
  /** The gate's own answer. */
  ask(values: readonly ContactValue[]): Promise<GateMatch[]>
}

/**
 * The gate for whoever has millions of values and a connection of their own: the same answers, and only what a live entry could match is
 * looked up. Where entries lead is read again whenever somebody has written to the store. Fails closed as the gate does.
 */
export function gateForMany(asker: Asker, tenantId: string): GateForMany {
  let seenVersion = -1
  let places: EntryPlaces | undefined
  return {
    async prepare() {
      const version = await dataVersion(asker.db)
      if (version !== seenVersion) places = await livePlaces(asker.db, tenantId)
      seenVersion = version
    },
    mayMatch(value) {
      const entries = places
      if (entries === undefined) return true
      const { kind, normalized } = value
      if (normalized !== null) return entries.reach(placeOfNormalized(kind, normalized))
      return recordKeysOf(value).some((key) => entries.reach(placeOf(key)))
    },
    ask: (values) => gate(asker, tenantId, values),
  }
}

/** Changes when another connection has committed; read before the keys, so that a commit in between is seen the next time. */
async function dataVersion(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ data_version: number }>`PRAGMA data_version`.execute(db)
  return rows[0]?.data_version ?? -1
}

/** Undefined: too many, or some of them are hashes, which tell no place. */
async function livePlaces(db: Kysely<Database>, tenantId: string): Promise<EntryPlaces | undefined> {
  const tombstones =
    await sql`SELECT 1 FROM suppressions WHERE tenant_id = ${tenantId} AND tombstone = 1 LIMIT 1`.execute(db)
  if (tombstones.rows.length > 0) return undefined
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM suppression_keys WHERE tenant_id = ${tenantId} AND live = 1 LIMIT ${HELD_KEYS + 1}`.execute(db)
  return rows.length > HELD_KEYS ? undefined : createEntryPlaces(new Set(rows.map(({ key }) => placeOf(key))))
}
