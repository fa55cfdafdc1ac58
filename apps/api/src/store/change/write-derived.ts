import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { ChangeStore } from './change-store.ts'

/**
 * Writes derived rows, such as scores, outdated reviews and the positions of followers. They can be computed again and no person states them, so they
 * are written without an audit event.
 */
export async function writeDerived(
  { write }: Pick<ChangeStore, 'write'>,
  tenantId: string,
  work: (db: Kysely<Database>) => Promise<void>,
): Promise<void> {
  await write({ tenantId }, async (db) => {
    await work(db)
    return { keep: true, value: undefined }
  })
}
