import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { Tx } from './change.ts'

const overwrite = (freed: 'ON' | 'FAST') => (db: Kysely<Database>) =>
  sql`PRAGMA secure_delete = ${sql.raw(freed)}`.execute(db)

/**
 * Has this change write zeros over the pages that it frees as well, a long text's among them, until its commit. Everywhere else they stay
 * as they are until they are used again, which is cheaper by the pages that would be written for it.
 */
export async function overwriteFreedPages<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await overwrite('ON')(tx.db)
  try {
    const done = await work()
    tx.beforeCommit(async () => void (await overwrite('FAST')(tx.db)))
    return done
  } catch (error) {
    await overwrite('FAST')(tx.db)
    throw error
  }
}
