import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { ChangeStore } from './change-store.ts'

/**
 * Writes derived rows, such as scores, outdated reviews and the positions of followers. No audit event records them, because they can be computed
 * again and contain no decision of a person.
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
