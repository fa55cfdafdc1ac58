import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { Tx } from './change.ts'

const overwrite = (freed: 'ON' | 'FAST') => (db: Kysely<Database>) =>
  sql`PRAGMA secure_delete = ${sql.raw(freed)}`.execute(db)

/**
 * Runs `work` and overwrites the pages that it frees with zeros, including the pages of long texts. By default freed pages keep their content until
 * they are reused, which saves writing them.
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
