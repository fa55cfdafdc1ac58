import type { Kysely } from 'kysely'
import type { ChangeStore } from '../../store/change/change-store.ts'
import type { Database } from '../../store/database.ts'

/**
 * Writes derived rows: scores, their order and the position of the follower. They can be computed again, and no person states them, so they
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
