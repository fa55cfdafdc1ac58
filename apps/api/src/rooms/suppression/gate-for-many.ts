import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'
import { createEntryPlaces, type EntryPlaces } from './entry-places.rules.ts'
import { type Asker, type GateMatch, gate } from './gate.ts'
import { type ContactValue, entryKeysFor, placesOf, type ReadContact, recordKeysOf } from './match-keys.rules.ts'

/** Keys of live entries that are held in memory; of a tenant with more the gate is asked about each value. */
const HELD_KEYS = 20_000

const readDataVersion = prepared<Record<never, never>>()(() => sql<{ data_version: number }>`PRAGMA data_version`)

export type GateForMany = {
  /** To be asked before each stretch of values: an entry counts from the next stretch behind its commit. */
  prepare(): Promise<void>
  /** Whether a live entry matches, told from memory. False is certain; where it cannot be told it is true. */
  mayMatch(value: ReadContact): boolean
  /** The gate's own answer. */
  ask(values: readonly ContactValue[]): Promise<GateMatch[]>
}

/**
 * The gate for whoever has millions of values and a connection of their own: the same answers, and only what a live entry could match is
 * looked up. Their keys are read again whenever somebody has written to the store. Fails closed as the gate does.
 */
export function gateForMany(asker: Asker, tenantId: string): GateForMany {
  let seenVersion = -1
  let entries: LiveEntries | undefined
  return {
    async prepare() {
      const version = await dataVersion(asker.db)
      if (version !== seenVersion) entries = await liveEntries(asker.db, tenantId)
      seenVersion = version
    },
    mayMatch(value) {
      if (entries === undefined) return true
      const { keys, places } = entries
      if (value.normalized !== null && !places.reach(value.normalized)) return false
      return recordKeysOf(value).some((key) => entryKeysFor(key).some((one) => keys.has(one)))
    },
    ask: (values) => gate(asker, tenantId, values),
  }
}

type LiveEntries = { keys: ReadonlySet<string>; places: EntryPlaces }

/** Changes when another connection has committed; read before the keys, so that a commit in between is seen the next time. */
async function dataVersion(db: Kysely<Database>): Promise<number> {
  const [row] = await readDataVersion(db, {})
  return row?.data_version ?? -1
}

/** Undefined: too many, or some of them are hashes, by which no key can be told. */
async function liveEntries(db: Kysely<Database>, tenantId: string): Promise<LiveEntries | undefined> {
  const tombstones =
    await sql`SELECT 1 FROM suppressions WHERE tenant_id = ${tenantId} AND tombstone = 1 LIMIT 1`.execute(db)
  if (tombstones.rows.length > 0) return undefined
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM suppression_keys WHERE tenant_id = ${tenantId} AND live = 1 LIMIT ${HELD_KEYS + 1}`.execute(db)
  if (rows.length > HELD_KEYS) return undefined
  const keys = new Set(rows.map(({ key }) => key))
  return { keys, places: createEntryPlaces(new Set([...keys].flatMap(placesOf))) }
}
