import type { Kysely } from 'kysely'
import type { Database } from '../src/store/database.ts'
import type { Store } from '../src/store/store.ts'

const known = new WeakMap<object, Promise<Kysely<Database>>>()

/** Returns the store's writing connection, for statements outside a unit of work: schema changes, pragmas, rows that no room would write. */
export function writerOf(store: Pick<Store, 'write'>): Promise<Kysely<Database>> {
  const db = known.get(store) ?? store.write('upkeep', async (writer) => ({ keep: false, value: writer }))
  known.set(store, db)
  return db
}
