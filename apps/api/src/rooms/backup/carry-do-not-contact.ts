import { existsSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { AuditAction } from '../../lib/declared.ts'
import { change, type Tx, unchanged } from '../../store/change/change.ts'
import type { Database } from '../../store/database.ts'
import { openConnection } from '../../store/engine/connection.ts'
import { kyselyOver } from '../../store/engine/kysely-over.ts'
import { pendingMigrations } from '../../store/files/migrate.ts'
import type { Migration } from '../../store/migration.ts'
import type { Store } from '../../store/store.ts'
import { blockAllAgain, blockedRecords, insertTombstones } from '../businesses/businesses.ts'
import type { ContactValue } from '../contact-gate/contact-gate.ts'
import { systemActor } from '../identity/identity.ts'
import { carryEntries, contactValuesOf, entriesInForce } from '../suppression/suppression.ts'

/**
 * Number of rows that were copied from the replaced store into the restored store. `tombstones`: hashes of addresses that were removed from a blocked
 * record.
 */
export type Carried = { suppressions: number; blocks: number; tombstones: number }

/** Thrown if the replaced store cannot be read, because it is damaged or has a newer schema. */
class FormerUnreadable extends Error {}

/**
 * Copies do-not-contact state from the replaced store into the restored one (docs/decisions/restores.md): suppression entries, manual blocks, and
 * hashes of values that blocked records no longer contain. Only adds rows. Returns the number of copied rows by tenant, or null if the replaced store
 * could not be read completely; rows copied before the failure remain.
 */
export async function carryDoNotContact(
  store: Store,
  file: string,
  tenantIds: readonly string[],
): Promise<Map<string, Carried> | null> {
  const carried = new Map<string, Carried>()
  if (!existsSync(file)) return carried
  let former: Kysely<Database> | undefined
  try {
    former = await read(async () => openFormer(file, store.migrations))
    for (const tenantId of tenantIds) carried.set(tenantId, await carryTenant(store, former, tenantId))
    return carried
  } catch (error) {
    if (error instanceof FormerUnreadable) return null
    throw error
  } finally {
    await former?.destroy()
  }
}

/** Opens the replaced store. Rejects a store of a newer schema, because this code could misinterpret its rows. */
function openFormer(file: string, migrations: readonly Migration[]): Kysely<Database> {
  const connection = openConnection(file, { readonly: true })
  try {
    pendingMigrations(connection, migrations)
    return kyselyOver(connection)
  } catch (error) {
    connection.close()
    throw error
  }
}

async function carryTenant(store: Store, former: Kysely<Database>, tenantId: string): Promise<Carried> {
  const carried = { suppressions: 0, blocks: 0, tombstones: 0 }
  for await (const entries of pages((after) => entriesInForce(former, tenantId, after)))
    carried.suppressions += await write(store, tenantId, 'suppression.add', (tx) => carryEntries(tx, entries))
  // Copy the records after the entries, because a value that an entry covers needs no tombstone.
  for await (const records of pages((after) => blockedRecords(former, tenantId, after))) {
    carried.blocks += await write(store, tenantId, 'business.block', (tx) => blockAllAgain(tx, records))
    carried.tombstones += await write(store, tenantId, 'suppression.keep_tombstone', async (tx) => {
      let kept = 0
      for (const id of records.flatMap(({ family }) => family))
        kept += await insertTombstones(tx, id, await goneFrom(tx, former, id))
      return kept
    })
  }
  return carried
}

/** Returns values of a record, or of its evidence, that the replaced store has and the restored store lacks. */
async function goneFrom(tx: Tx, former: Kysely<Database>, id: string): Promise<ContactValue[]> {
  const { tenantId } = tx.actor
  const then = await read(() => contactValuesOf(former, tenantId, id))
  const now = await contactValuesOf(tx.db, tenantId, id)
  const nameOf = ({ kind, value }: ContactValue) => `${kind} ${value}`
  const held = new Set([...now.own, ...now.claimed].map(nameOf))
  return [...then.own, ...then.claimed].filter((value) => !held.has(nameOf(value)))
}

async function write(
  store: Store,
  tenantId: string,
  action: AuditAction,
  work: (tx: Tx) => Promise<number>,
): Promise<number> {
  const { value } = await change(
    store,
    systemActor('command line', tenantId),
    { permission: null, action },
    async (tx) => {
      const written = await work(tx)
      return written === 0 ? unchanged(0) : written
    },
  )
  return value
}

async function* pages<Row extends { id: string }>(rowsAfter: (id: string) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let rows = await read(() => rowsAfter('')); rows.length > 0; ) {
    yield rows
    const last = rows.at(-1)?.id ?? ''
    rows = await read(() => rowsAfter(last))
  }
}

async function read<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new FormerUnreadable('The former store could not be read.', { cause })
  }
}
