import type { Kysely } from 'kysely'
import type { ChangeStore } from '../../../store/change/change-store.ts'
import type { Database } from '../../../store/database.ts'

/** Name of the follower of this room, whose position a run over the whole tenant advances. */
export const followerName = 'matching'

/** Writes derived data (lookup keys and positions) without an audit event, because it contains no decision and can be derived again. */
export async function saveDerived(
  { write }: Pick<ChangeStore, 'write'>,
  tenantId: string,
  work: (db: Kysely<Database>) => Promise<void>,
): Promise<void> {
  await write({ tenantId }, async (db) => {
    await work(db)
    return { keep: true, value: undefined }
  })
}
